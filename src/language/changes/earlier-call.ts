import { isRecord } from '../../domain/records.ts';
import { sentences } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import type { Advisory } from '../../schema/advisory.ts';
import type { ChangeEffects } from '../../schema/changes/change.ts';
import { describeAdvisories } from '../advisories.ts';
import type { SummaryContext } from '../summary-context.ts';
import { formatInstant, formatTimeSpan } from '../time.ts';
import { changePhrases } from './change-phrases.ts';
import { describeEffects } from './change-summary.ts';

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

/** What the answer of a repeated call says first. */
export function describeReplay(call: EarlierCall, context: SummaryContext): Text {
  return sentences([
    `${describeDone(call, context)}: ${changePhrases.wroteNothing(loggedBy(call))}`,
    ...describeAdvisories(call.advisories.filter(isFate), context),
    changePhrases.firstAnswer,
  ]);
}

/** Begins the refusal of a call that has the key of another one. */
export async function describeEarlierCall(
  call: EarlierCall & { readonly effects: ChangeEffects | null },
  context: SummaryContext,
): Promise<Text> {
  const { effects } = call;
  const done = describeDone(call, context);
  const written = effects === null ? '' : `: ${await describeEffects({ effects }, context)}`;
  return sentences([
    `${done}${written}.`,
    ...describeAdvisories(call.advisories.filter(isFate), context),
  ]);
}

function loggedBy({ operation }: EarlierCall): 'watering' | 'rain' | null {
  if (!operation.startsWith('log_')) return null;
  return operation.endsWith('rain') ? 'rain' : 'watering';
}

function describeDone(call: EarlierCall, context: SummaryContext): string {
  const { at, body } = call;
  const isLog = loggedBy(call) !== null;
  return changePhrases.alreadyDone(
    isLog ? 'logged' : 'done',
    at === null ? null : formatInstant(at, context),
    isLog ? spanOf(body, context) : null,
  );
}

/** When the logged waterings or rain were; null unless all were at the same time. */
function spanOf(body: unknown, context: SummaryContext): string | null {
  const spans = new Set(loggedRows(body).map((row) => formatSpan(row, context)));
  const [span = null] = spans;
  return spans.size === 1 ? span : null;
}

function loggedRows(body: unknown): Record<string, unknown>[] {
  if (!isRecord(body)) return [];
  const { event, rain, waterings } = body;
  if (Array.isArray(waterings)) return waterings.flatMap(loggedRows);
  return [event, rain].filter(isRecord);
}

function formatSpan(
  { startedAt, endedAt }: Record<string, unknown>,
  context: SummaryContext,
): string | null {
  if (typeof startedAt !== 'string') return null;
  const end = typeof endedAt === 'string' ? Date.parse(endedAt) : null;
  return formatTimeSpan(Date.parse(startedAt), end, context);
}
