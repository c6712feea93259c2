import type { StoreKind } from '../../domain/alerts/means-of-notice.ts';
import { HOUR_MS, MINUTE_MS } from '../../domain/periods.ts';
import { totalHours } from '../../domain/text/figures.ts';
import {
  action,
  counted,
  listAndMore,
  name,
  noun,
  say,
  sentences,
  word,
} from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import type { Advisory } from '../../schema/advisory.ts';
import type { AdvisoryOf } from '../advisory-sentences.ts';
import type { WordingContext } from '../summary-context.ts';
import { shortList } from '../text/names-of-farm.ts';

type Means = AdvisoryOf<'means_of_notice'>;

/** Whether somebody hears of an alert: the only sentences that promise a message. */
export const describeMeans = (means: Means, context: WordingContext): Text =>
  means.mail === 'leaves' ? describePromise(means) : describeHindrance(means, context);

/**
 * The sentence about messages: a hindrance begins the answer about an alert, a promise follows its
 * rule. At most one of them is not null.
 */
export function describeNotice(advisories: readonly Advisory[], context: WordingContext) {
  const means = advisories.find((advisory) => advisory.kind === 'means_of_notice');
  const isPromised = means?.mail === 'leaves';
  const sentence = means === undefined ? null : describeMeans(means, context);
  return { hindrance: isPromised ? null : sentence, promise: isPromised ? sentence : null };
}

function describePromise(means: Means): Text {
  const { recipients, devices, silent, othersSilent } = means;
  if (recipients.length === 0) return say`It has no recipient, so nobody gets mail about it.`;

  const push = devices === 0 ? null : say` and on ${counted(devices, 'device')}`;
  const unless =
    silent.length === 0 && othersSilent <= 0
      ? null
      : say`, but not about ${listAndMore(silent.map(name), othersSilent)} before ${noun(silent.length + othersSilent, 'it sends', 'they send')}`;
  return say`${namesIn(recipients)} will be notified by e-mail${push}${conditionOf(means)}${unless}.`;
}

/** A few minutes may pass between rounds. */
const USUAL_PAUSE_MIN = 2;

/** A killed process would not keep its promise; a service that answers is running. */
function conditionOf({ sender, sinceMin, isServed }: Means): Text | null {
  const isRecent = sinceMin === null || sinceMin <= USUAL_PAUSE_MIN;
  if (sender === null || (isServed && isRecent)) return null;
  const runs = sender === 'serve' ? say`runs` : say`runs regularly`;
  const last = isRecent ? null : say` (it last ran ${agoOf(sinceMin)})`;
  return say` as long as "acequia ${word(sender)}" ${runs}${last}`;
}

const agoOf = (minutes: number): Text => say`${totalHours((minutes * MINUTE_MS) / HOUR_MS)} ago`;

const OPTIONS: Readonly<Record<StoreKind, string>> = {
  default: '',
  file: ' --db FILE',
  server: ' --db ADDRESS',
};

/** Names the store itself only to a caller at its computer. */
const storeOptionOf = (kind: StoreKind, { storeOption }: WordingContext): string =>
  storeOption ?? OPTIONS[kind];

/** Keeps on what checks alerts at all hours, and sends mail and push messages. */
const installWithMail = (storeOption: string): string =>
  withVariable(
    `acequia service install${storeOption}`,
    'ACEQUIA_SMTP_URL',
    'smtp://user:password@host:587',
  );

/** "NAME=value command" is no form of the shells of Windows; a file of variables is read anywhere. */
const withVariable = (command: string, name: string, value: string): string =>
  `${command} --env-file acequia.env, a file with the line ${name}=${value}`;

const SERVICE_COMPUTER = 'the computer of the service';
const THIS_COMPUTER = 'this computer';

const computerOf = (isServed: boolean) => (isServed ? SERVICE_COMPUTER : THIS_COMPUTER);

function describeHindrance(means: Means, context: WordingContext): Text {
  const storeOption = storeOptionOf(means.store, context);
  const where = computerOf(means.isServed);
  // Where only a chat has a mail server, the service has none yet: the installation sets it.
  const canBeExamined = means.mail === 'rejected' || means.sender !== null;
  const command = canBeExamined ? `"acequia doctor${storeOption}"` : installWithMail(storeOption);
  return say`${hindranceOf(means)}.${describeChecks(means)}${action(`on ${where}, run ${command}`)}`;
}

function hindranceOf({ mail, recipients, sinceMin, lastAnswer, isServed }: Means): Text {
  const where = word(computerOf(isServed));
  const ago = sinceMin ? agoOf(sinceMin) : say`just now`;
  switch (mail) {
    case 'rejected': {
      const answer = lastAnswer === null ? null : say` (${name(lastAnswer)})`;
      return say`The mail server has not accepted the last mail to ${namesIn(recipients)}${answer}, so the next may not arrive either`;
    }
    case 'fails':
      return say`No mail leaves ${where} now: the mail server could not be used ${ago}`;
    case 'untried':
      return say`Whether mail can leave ${where} is not known yet: the mail server has not answered`;
    case 'stopped':
      return say`No mail leaves ${where} any more: what sends it last ran ${ago}`;
    case 'in_chats':
      return say`Mail leaves ${where} only while a chat is open`;
    default:
      return say`No mail can leave ${where} yet: no server is set`;
  }
}

function describeChecks({ areAlertsChecked, isServed, devices }: Means): Text | null {
  if (areAlertsChecked)
    return devices === 0 ? null : say` Push messages go to ${counted(devices, 'device')}.`;
  return isServed
    ? say` Nothing has checked alerts for 15 minutes.`
    : say` Alerts are checked only while a chat is open.`;
}

type Undelivered = AdvisoryOf<'undelivered_mail'>;

export function describeUndeliveredMail(unsent: Undelivered, context: WordingContext): Text {
  const { waiting, refused } = unsent;
  return sentences([
    waiting > 0 ? describeWaitingMail(unsent, context) : null,
    refused > 0 ? describeRejectedMail(unsent, context) : null,
  ]);
}

function describeWaitingMail(unsent: Undelivered, context: WordingContext): Text {
  const { waiting, oldestAt } = unsent;
  const waitMs = oldestAt === null ? 0 : context.now - oldestAt;
  const wait =
    waitMs < MINUTE_MS
      ? null
      : say`, ${waiting === 1 ? say`for` : say`the oldest for`} ${totalHours(waitMs / HOUR_MS)}`;
  return say`Not sent yet: ${counted(waiting, 'message')}${wait}${describeMailReason(unsent, context)}.`;
}

const REASONS: Readonly<Partial<Record<Means['mail'], Text>>> = {
  no_server: say`no mail server is set`,
  stopped: say`what sends them no longer runs`,
  untried: say`the mail server has not answered yet`,
  fails: say`the mail server cannot be used`,
  in_chats: say`mail leaves only while a chat is open`,
};

/** Behind the messages that wait for it; null for what keeps none. */
function describeMailReason(
  { mail, isServed, store }: Undelivered,
  context: WordingContext,
): Text | null {
  const reason = mail === null ? undefined : REASONS[mail];
  if (reason === undefined) return null;
  const storeOption = storeOptionOf(store, context);
  const command =
    mail === 'fails' || mail === 'untried'
      ? `acequia doctor${storeOption}`
      : installWithMail(storeOption);
  return say` (${reason})${action(`on ${computerOf(isServed)}, run ${command}`)}`;
}

function describeRejectedMail(
  { refused, lastAnswer, isServed, store }: Undelivered,
  context: WordingContext,
): Text {
  const answer = lastAnswer === null ? null : say`, whose last answer was ${name(lastAnswer)}`;
  const command = `"acequia doctor${storeOptionOf(store, context)}"`;
  return say`Rejected by the mail server${answer}: ${counted(refused, 'message')}.${action(`on ${computerOf(isServed)}, run ${command}`)}`;
}

const namesIn = (names: readonly string[]): Text => shortList(names.map(name));
