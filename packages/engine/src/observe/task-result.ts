import { decodeUtf8, type JsonObject, STATUS_ORDER, type TestReport } from '@r2e/spec'
import * as v from 'valibot'

const count = v.pipe(v.number(), v.minValue(0))
const ReportSchema = v.object({
  schema: v.literal('r2e.tests/1'),
  outcome: v.picklist(['completed', 'timed_out', 'crashed']),
  parse_status: v.picklist(['ok', 'no_report', 'no_tests', 'malformed']),
  parse_detail: v.exactOptional(v.string()),
  tests: v.record(v.string(), v.picklist(STATUS_ORDER)),
  unloaded: v.array(v.string()),
  exit_codes: v.array(v.pipe(v.number(), v.integer())),
  cpu_sec: count,
  wall_sec: count,
})
const RewardSchema = v.looseObject({ reward: v.pipe(v.number(), v.finite()) })
const DetailsSchema = v.record(v.string(), v.unknown())

/** `/logs/verifier/reward.json`, or undefined where it is missing or no measurement. */
export function parseReward(bytes: Uint8Array | undefined): number | undefined {
  return parse(RewardSchema, bytes)?.reward
}

/** `/logs/verifier/reward-details.json`; empty where there is none. */
export function parseDetails(bytes: Uint8Array | undefined): JsonObject {
  return (parse(DetailsSchema, bytes) ?? {}) as JsonObject
}

/** `/logs/verifier/tests.json`, or undefined where it is missing or malformed. */
export function parseTestReport(bytes: Uint8Array | undefined): TestReport | undefined {
  return parse(ReportSchema, bytes)
}

function parse<T>(schema: v.GenericSchema<unknown, T>, bytes: Uint8Array | undefined): T | undefined {
  if (bytes === undefined) return undefined
  try {
    const result = v.safeParse(schema, JSON.parse(decodeUtf8(bytes)))
    return result.success ? result.output : undefined
  } catch {
    return undefined
  }
}
