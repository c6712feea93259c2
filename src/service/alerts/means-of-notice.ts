import { alertStatus } from '../../domain/alerts/alert-episodes.ts';
import { meansOfNotice } from '../../domain/alerts/means-of-notice.ts';
import { MINUTE_MS } from '../../domain/periods.ts';
import { quote } from '../../domain/strings.ts';
import { moduleName } from '../../language/summary-context.ts';
import type { Call } from '../../operation/call.ts';
import type { Advisory } from '../../schema/advisory.ts';
import type { AlertState } from '../../store/alerts/alert-states.ts';
import { type Alert, recipientsOf } from '../../store/alerts/alerts.ts';
import { pushDevices } from '../../store/keys/sessions.ts';
import {
  lastUnacceptedAnswer,
  type UndeliveredMessages,
  undeliveredMail,
} from '../../store/mail/outbox.ts';

type Means = Extract<Advisory, { kind: 'means_of_notice' }>;

/** Whatever is said of messages to come rests on this. */
async function readMeans(call: Call): Promise<Means> {
  // Rounds are recorded in real time, even if the process has a simulated clock.
  const now = Date.now();
  const { since, ...means } = meansOfNotice(await call.jobRounds(), now);
  return {
    kind: 'means_of_notice',
    ...means,
    sinceMin: since === null ? null : Math.max(0, Math.round((now - since) / MINUTE_MS)),
    isServed: call.isServed,
    store: call.storeKind,
    devices: (await pushDevices(call.db, call.now)).length,
    recipients: [],
    lastAnswer: null,
    silent: [],
    othersSilent: 0,
  };
}

const MAX_NAMED_PROBES = 3;

/** Advises of an alert, or of alerts with the same recipients; `watched` are their probes. */
export async function adviseOfNotice(
  call: Call,
  alertId: string,
  watched: readonly { readonly moduleId: number; readonly state: AlertState | null }[],
): Promise<void> {
  const means = await readMeans(call);
  const recipients = await recipientsOf(call.db, [alertId]);
  const userIds = recipients.map(({ userId }) => userId);
  const answer = means.mail === 'leaves' ? await lastUnacceptedAnswer(call.db, userIds) : null;

  const silent = watched.filter(({ state }) => !hasFreshValue(state, call.now));
  const named = silent.slice(0, MAX_NAMED_PROBES);
  call.advise({
    ...means,
    mail: answer === null ? means.mail : 'rejected',
    lastAnswer: answer === null ? null : quote(answer),
    recipients: recipients.map(({ userName }) => userName),
    silent: await Promise.all(named.map(({ moduleId }) => moduleName(call.directory, moduleId))),
    othersSilent: silent.length - named.length,
  });
}

const hasFreshValue = (state: AlertState | null, now: number): boolean =>
  state !== null && state.evaluatedAt !== null && alertStatus(state, now) !== 'stale';

/** Younger messages are on their way. */
const USUAL_WAIT_MS = 15 * MINUTE_MS;

/** The mail of the company that has not left, and why; nothing while all goes well. */
export async function unsentMail(call: Call): Promise<Advisory[]> {
  const undelivered = await undeliveredMail(call.db);
  const { waiting, refused, oldestWaitingAt } = undelivered;
  if (waiting + refused === 0) return [];

  const means = await readMeans(call);
  const isLate = oldestWaitingAt !== null && call.now - oldestWaitingAt >= USUAL_WAIT_MS;
  const isToSay = means.mail !== 'leaves' || refused > 0 || isLate;
  return isToSay ? [undeliveredAdvisory(call, undelivered, means)] : [];
}

/** The mail of these alerts that has not left, and the obstacle for the next messages. */
export async function adviseOfMail(call: Call, alerts: readonly Alert[]): Promise<void> {
  const ids = alerts.map(({ id }) => id);
  const undelivered = await undeliveredMail(call.db, ids);
  if (undelivered.waiting + undelivered.refused > 0)
    call.advise(undeliveredAdvisory(call, undelivered));

  const means = await readMeans(call);
  const isExpected = alerts.some(({ isActive }) => isActive);
  if (isExpected && means.mail !== 'leaves') call.advise(means);
}

const undeliveredAdvisory = (
  { storeKind, isServed }: Call,
  { oldestWaitingAt: oldestAt, lastAnswer, ...counts }: UndeliveredMessages,
  means: Means | null = null,
): Advisory => ({
  kind: 'undelivered_mail',
  ...counts,
  oldestAt,
  mail: means?.mail ?? null,
  isServed,
  store: storeKind,
  lastAnswer: lastAnswer === null ? null : quote(lastAnswer),
});
