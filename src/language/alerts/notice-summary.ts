import type { StoreKind } from '../../domain/alerts/means-of-notice.ts';
import { HOUR_MS, MINUTE_MS } from '../../domain/periods.ts';
import { nameInSentence } from '../../domain/text.ts';
import type { Advisory } from '../../schema/advisory.ts';
import { englishCount, englishFormat, englishNoun } from '../en/grammar.ts';
import { nextAction } from '../next-calls.ts';
import { formatTotalHours } from '../number-format.ts';
import { listNames, type WordingContext } from '../summary-context.ts';

type Means = Extract<Advisory, { kind: 'means_of_notice' }>;

/** Whether somebody hears of an alert: the only sentences that promise a message. */
export const describeMeans = (means: Means, context: WordingContext): string =>
  means.mail === 'leaves' ? describePromise(means) : describeHindrance(means, context);

/** What begins the answer about an alert, because no message can leave, and what follows its rule. */
export function describeNotice(advisories: readonly Advisory[], context: WordingContext) {
  const means = advisories.find((each): each is Means => each.kind === 'means_of_notice');
  const isPromised = means?.mail === 'leaves';
  const sentence = means === undefined ? null : describeMeans(means, context);
  return { hindrance: isPromised ? null : sentence, promise: isPromised ? sentence : null };
}

function describePromise(means: Means): string {
  const { recipients, devices, silent, othersSilent } = means;
  if (recipients.length === 0) return 'It has no recipient, so nobody gets mail about it.';

  const push = devices === 0 ? '' : ` and on ${englishCount(devices, 'device')}`;
  const probes = silent.map(nameInSentence);
  if (othersSilent > 0) probes.push(`${othersSilent} more`);
  const unless =
    probes.length === 0
      ? ''
      : `, but not about ${englishFormat.list(probes)} before ${englishNoun(probes.length, 'it sends', 'they send')}`;
  return `${namesIn(recipients)} will be notified by e-mail${push}${conditionOf(means)}${unless}.`;
}

/** A few minutes may pass between rounds. */
const USUAL_PAUSE_MIN = 2;

/** What a killed process promised would not come; what answers from a service is running. */
function conditionOf({ sender, sinceMin, isServed }: Means): string {
  const isRecent = sinceMin === null || sinceMin <= USUAL_PAUSE_MIN;
  if (sender === null || (isServed && isRecent)) return '';
  const runs = sender === 'serve' ? 'runs' : 'runs regularly';
  const last = isRecent ? '' : ` (it last ran ${agoOf(sinceMin)})`;
  return ` as long as "acequia ${sender}" ${runs}${last}`;
}

const agoOf = (minutes: number): string =>
  `${formatTotalHours((minutes * MINUTE_MS) / HOUR_MS)} ago`;

const OPTIONS: Readonly<Record<StoreKind, string>> = {
  default: '',
  file: ' --db FILE',
  server: ' --db ADDRESS',
};

/** Names the store itself only to a caller at its computer. */
export const storeOptionOf = (kind: StoreKind, { storeOption }: WordingContext): string =>
  storeOption ?? OPTIONS[kind];

/** Keeps on what checks alerts at all hours, and sends mail and push messages. */
export const installWithMail = (storeOption: string): string =>
  withVariable(
    `acequia service install${storeOption}`,
    'ACEQUIA_SMTP_URL',
    'smtp://user:password@host:587',
  );

/** "NAME=value command" is no form of the shells of Windows; a file of variables is read anywhere. */
const withVariable = (command: string, name: string, value: string): string =>
  `${command} --env-file acequia.env, a file with the line ${name}=${value}`;

function describeHindrance(means: Means, context: WordingContext): string {
  const storeOption = storeOptionOf(means.store, context);
  const where = computerOfStore(means.isServed);
  // Where only a chat has a mail server, the service has none yet: the installation sets it.
  const canBeExamined = means.mail === 'rejected' || means.sender !== null;
  const action = canBeExamined
    ? `on ${where}, run "acequia doctor${storeOption}"`
    : `on ${where}, run ${installWithMail(storeOption)}`;
  return `${hindranceOf(means, where)}.${describeChecks(means)}${nextAction(action)}`;
}

const REASONS: Readonly<Partial<Record<Means['mail'], string>>> = {
  no_server: 'no mail server is set',
  stopped: 'what sends them no longer runs',
  untried: 'the mail server has not answered yet',
  fails: 'the mail server cannot be used',
  in_chats: 'mail leaves only while a chat is open',
};

export const computerOfStore = (isServed: boolean): string =>
  isServed ? 'the computer of the service' : 'this computer';

/** Behind the messages that wait for it; empty for what keeps none. */
export function describeMailReason(
  mail: Means['mail'] | null,
  storeOption: string,
  where: string,
): string {
  const reason = mail === null ? undefined : REASONS[mail];
  if (reason === undefined) return '';
  const action =
    mail === 'fails' || mail === 'untried'
      ? `acequia doctor${storeOption}`
      : installWithMail(storeOption);
  return ` (${reason})${nextAction(`on ${where}, run ${action}`)}`;
}

function hindranceOf({ mail, recipients, sinceMin, lastAnswer }: Means, where: string): string {
  const ago = sinceMin ? agoOf(sinceMin) : 'just now';
  switch (mail) {
    case 'rejected': {
      const answer = lastAnswer === null ? '' : ` (${lastAnswer})`;
      return `The mail server has not accepted the last mail to ${namesIn(recipients)}${answer}, so the next may not arrive either`;
    }
    case 'fails':
      return `No mail leaves ${where} now: the mail server could not be used ${ago}`;
    case 'untried':
      return `Whether mail can leave ${where} is not known yet: the mail server has not answered`;
    case 'stopped':
      return `No mail leaves ${where} any more: what sends it last ran ${ago}`;
    case 'in_chats':
      return `Mail leaves ${where} only while a chat is open`;
    default:
      return `No mail can leave ${where} yet: no server is set`;
  }
}

function describeChecks({ areAlertsChecked, isServed, devices }: Means): string {
  if (areAlertsChecked)
    return devices === 0 ? '' : ` Push messages go to ${englishCount(devices, 'device')}.`;
  return isServed
    ? ' Nothing has checked alerts for 15 minutes.'
    : ' Alerts are checked only while a chat is open.';
}

const namesIn = (names: readonly string[]): string => listNames(names.map(nameInSentence));
