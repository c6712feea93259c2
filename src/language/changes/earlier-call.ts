import { isRecord } from '../../domain/records.ts';
import { say, sentences } from '../../domain/text/say.ts';
import type { Text, Time } from '../../domain/text/text.ts';
import { period, timeOf } from '../../domain/text/times.ts';
import type { Advisory } from '../../schema/advisory.ts';
import type { ChangeEffects } from '../../schema/changes/change.ts';
import { describeAdvisories } from '../advisories.ts';
import type { SummaryContext } from '../summary-context.ts';
import { describeEffects, ENTER_AGAIN } from './change-summary.ts';

/** A call that was answered under an idempotency key. */
export interface EarlierCall {
  readonly operation: string;
  /** In ms; null if nobody knows. */
  readonly at: number | null;
  readonly body: unknown;
  readonly advisories: readonly Advisory[];
}

export const isFate = ({ kind }: Advisory): boolean =>
  kind === 'undone_since' || kind === 'changed_since';

/** Begins the answer of a repeated call. */
export const describeReplay = (call: EarlierCall, context: SummaryContext): Text =>
  sentences([
    say`${describeDone(call)}: nothing new was written. ${newEntryOf(call)} with another key.${ENTER_AGAIN}`,
    ...describeAdvisories(call.advisories.filter(isFate), context),
    say`The first answer:`,
  ]);

/** Begins the refusal of a call that has the key of another one. */
export async function describeEarlierCall(
  call: EarlierCall & { readonly effects: ChangeEffects | null },
  context: SummaryContext,
): Promise<Text> {
  const { effects } = call;
  const written = effects === null ? null : say`: ${await describeEffects({ effects }, context)}`;
  return sentences([
    say`${describeDone(call)}${written}.`,
    ...describeAdvisories(call.advisories.filter(isFate), context),
  ]);
}

function loggedBy({ operation }: EarlierCall): 'watering' | 'rain' | null {
  if (!operation.startsWith('log_')) return null;
  return operation.endsWith('rain') ? 'rain' : 'watering';
}

function newEntryOf(call: EarlierCall): Text {
  const logged = loggedBy(call);
  if (logged === null) return say`If this is a new order, send it`;
  return logged === 'rain' ? say`If it rained again, say so` : say`If it ran again, say so`;
}

function describeDone(call: EarlierCall): Text {
  const { at, body } = call;
  const isLog = loggedBy(call) !== null;
  const when = at === null ? say`before` : timeOf(at);
  const times = isLog ? periodOf(body) : null;
  return say`Already ${isLog ? say`logged` : say`done`} ${when}${times && say`, for ${times}`}`;
}

/** When the logged waterings or rain were; null unless all were at the same time. */
function periodOf(body: unknown): Time | null {
  const rows = loggedRows(body);
  const [first] = rows;
  const isAtOnce = rows.every(
    ({ startedAt, endedAt }) => startedAt === first?.startedAt && endedAt === first?.endedAt,
  );
  if (!isAtOnce || typeof first?.startedAt !== 'string') return null;
  return period(first.startedAt, typeof first.endedAt === 'string' ? first.endedAt : null);
}

function loggedRows(body: unknown): Record<string, unknown>[] {
  if (!isRecord(body)) return [];
  const { event, rain, waterings } = body;
  if (Array.isArray(waterings)) return waterings.flatMap(loggedRows);
  return [event, rain].filter(isRecord);
}
