import type { Email } from 'postal-mime';
import { type Ahead, csvOf } from './ahead.ts';
import { localTime } from './calendar.ts';
import { must } from './conversation.ts';
import type { FarmCopy } from './copy.ts';
import type { Mailbox } from './mailbox.ts';
import { type DemoAlert, WATCHED } from './threshold.ts';
import { transcript } from './transcript.ts';
import { type Firing, firingsOf, type Weighed, weighed } from './watch-by-hand.ts';
import type { DemoWatering } from './waterings.ts';

export const SENDER = 'farm@example.org';
/** Who asked for the alert. */
const RECIPIENT = 'ana@example.org';

/** What goes on while nobody waters, on a copy of the farm. Instants in ms. */
export interface Spell {
  readonly copy: FarmCopy;
  readonly mailbox: Mailbox;
  readonly alert: DemoAlert;
  readonly ahead: Ahead;
  readonly now: number;
  /** What was measured since `now`. */
  readonly readings: Weighed[];
  /** Every message that has arrived. */
  readonly mails: Email[];
}

/** Brings in what was measured up to an instant. */
export async function bring(
  { copy, ahead, readings }: Spell,
  name: string,
  at: number,
  waterings?: readonly DemoWatering[],
): Promise<void> {
  const moisture = ahead.until(at, waterings);
  await copy.lay(name, csvOf(moisture));
  readings.push(...weighed(moisture));
  await copy.run(['import', '--module', WATCHED, name], at);
}

/** Sends what waits: one message, which is to begin and to say so. */
export async function send(
  spell: Spell,
  at: number,
  { subject, says }: { subject: string; says: string[] },
): Promise<void> {
  await spell.copy.run(['tick'], at);
  const arrived = await spell.mailbox.look();
  must(arrived.length === 1, 'one message arrives');
  const mail = arrived[0]!;
  const { from, to, messageId = '', text = '' } = mail;
  transcript.mail([
    `From: ${from!.name} <${from!.address}>`,
    `To: ${to!.map(({ address }) => address).join(', ')}`,
    `Subject: ${mail.subject}`,
    `Message-ID: ${messageId}`,
    '',
    ...text.trimEnd().split('\n'),
  ]);
  must(
    from?.address === SENDER && to?.[0]?.address === RECIPIENT,
    'it comes from the farm and goes to who asked for it',
  );
  must(mail.subject!.startsWith(subject), `its subject begins with "${subject}"`);
  for (const each of says) must(text.includes(each), `it says "${each}"`);
  must(
    spell.mails.every((other) => other.messageId !== messageId),
    'no message comes twice',
  );
  spell.mails.push(mail);
}

export const clockTime = (at: number): string => localTime(at).slice(-5);

/** The firing so far, which there is one of, by the readings one by one. */
export const firingOf = ({ readings, alert }: Spell): Firing | null => firingsOf(readings, alert)[0] ?? null;

/** The reading before an instant and the one at it, in words. */
export function around({ readings }: Spell, at: number, [before, then]: readonly [string, string]): string[] {
  const index = readings.findIndex((each) => each.at === at);
  const say = ({ at, value }: Weighed, what: string): string => `${localTime(at)}  ${value} %, ${what}`;
  return [...(index > 0 ? [say(readings[index - 1]!, before)] : []), say(readings[index]!, then)];
}
