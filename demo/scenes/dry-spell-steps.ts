import type { Email } from 'postal-mime';
import { localTime } from '../farm/calendar.ts';
import { type FutureProbe, moistureCsv } from '../farm/future-readings.ts';
import type { DemoWatering } from '../farm/waterings.ts';
import {
  type DemoFiring,
  firingsByHand,
  type WeightedReading,
  weightedReadings,
} from '../hand-calculations/alert-firings.ts';
import { expectThat } from '../output/conversation.ts';
import { transcript } from '../output/transcript.ts';
import type { FarmCopy } from '../servers/farm-copy.ts';
import type { Mailbox } from '../servers/mailbox.ts';
import { type DemoAlert, WATCHED_MODULE } from './threshold.ts';

export const SENDER = 'farm@example.org';
const RECIPIENT = 'ana@example.org';

/** On a copy of the farm. Instants in ms. */
export interface DrySpell {
  readonly copy: FarmCopy;
  readonly mailbox: Mailbox;
  readonly alert: DemoAlert;
  readonly future: FutureProbe;
  readonly now: number;
  readonly readings: WeightedReading[];
  readonly mails: Email[];
}

export async function importDrySpellReadings(
  { copy, future, readings }: DrySpell,
  name: string,
  at: number,
  waterings?: readonly DemoWatering[],
): Promise<void> {
  const moisture = future.measureUntil(at, waterings);
  await copy.writeFile(name, moistureCsv(moisture));
  readings.push(...weightedReadings(moisture));
  await copy.run(['import', '--module', WATCHED_MODULE, name], at);
}

export async function expectMail(
  spell: DrySpell,
  at: number,
  { subject, says }: { subject: string; says: string[] },
): Promise<void> {
  await spell.copy.run(['tick'], at);
  const arrived = await spell.mailbox.takeArrived();
  expectThat(arrived.length === 1, 'one message arrives');
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
  expectThat(
    from?.address === SENDER && to?.[0]?.address === RECIPIENT,
    'it comes from the farm and goes to the person who asked for it',
  );
  expectThat(mail.subject!.startsWith(subject), `its subject begins with "${subject}"`);
  for (const each of says) expectThat(text.includes(each), `it says "${each}"`);
  expectThat(
    spell.mails.every((other) => other.messageId !== messageId),
    'no message comes twice',
  );
  spell.mails.push(mail);
}

export const clockTime = (at: number): string => localTime(at).slice(-5);

export const currentFiring = ({ readings, alert }: DrySpell): DemoFiring | null =>
  firingsByHand(readings, alert)[0] ?? null;

export function readingsAround(
  { readings }: DrySpell,
  at: number,
  [textBefore, text]: readonly [string, string],
): string[] {
  const index = readings.findIndex((each) => each.at === at);
  const describe = ({ at, value }: WeightedReading, words: string): string =>
    `${localTime(at)}  ${value} %, ${words}`;
  return [
    ...(index > 0 ? [describe(readings[index - 1]!, textBefore)] : []),
    describe(readings[index]!, text),
  ];
}
