import { expect, it } from 'vitest'
import { parseUser } from './user-ids.ts'

const accounts = {
  passwd: 'root:x:0:0:root:/root:/bin/sh\nagent:x:1000:1001::/home/agent:/bin/sh\nodd\n',
  group: 'root:x:0:\nagent:x:1001:\nextra:x:7:other,agent\nbroken:x:y:agent\n',
}

for (const [spec, user] of [
  ['agent', { uid: 1000, gid: 1001, groups: [7], home: '/home/agent' }],
  ['1000', { uid: 1000, gid: 1001, groups: [7], home: '/home/agent' }],
  ['agent:extra', { uid: 1000, gid: 7, groups: [], home: '/home/agent' }],
  ['5:6', { uid: 5, gid: 6, groups: [], home: '/' }],
  ['5', { uid: 5, gid: 0, groups: [], home: '/' }],
  ['nobody-here', undefined],
  ['agent:no-group', undefined],
  ['', undefined],
] as const)
  it(`finds the ids of ${JSON.stringify(spec)}`, () => expect(parseUser(spec, accounts)).toEqual(user))
