export interface UserIds {
  readonly uid: number
  readonly gid: number
  /** Supplementary. */
  readonly groups: readonly number[]
  readonly home: string
}

export const ROOT_USER: UserIds = { uid: 0, gid: 0, groups: [], home: '/root' }

/** Reads `name`, `uid`, `name:group` or `uid:gid` against the account files of the sandbox; undefined = no such user. */
export function parseUser(spec: string, accounts: { passwd: string; group: string }): UserIds | undefined {
  const [name = '', groupName] = spec.split(':')
  const users = rows(accounts.passwd)
  const account = users.find((row) => row[0] === name) ?? users.find((row) => row[2] === name)
  if (!account && !isNumber(name)) return undefined
  const uid = account ? Number(account[2]) : Number(name)
  const gid = groupName === undefined ? Number(account?.[3] ?? 0) : groupId(groupName, accounts.group)
  if (gid === undefined || !Number.isInteger(uid) || !Number.isInteger(gid)) return undefined
  const member = rows(accounts.group).filter((row) => account && row[3]?.split(',').includes(account[0]!))
  const groups = groupName === undefined ? member.map((row) => Number(row[2])).filter(Number.isInteger) : []
  return { uid, gid, groups, home: account?.[5] || '/' }
}

function groupId(name: string, group: string): number | undefined {
  const found = rows(group).find((row) => row[0] === name)
  if (found) return Number(found[2])
  return isNumber(name) ? Number(name) : undefined
}

function rows(text: string): string[][] {
  return text.split('\n').map((line) => line.split(':'))
}

function isNumber(text: string): boolean {
  return /^\d{1,10}$/.test(text)
}
