import { outboxStanding } from '../../store/outbox.ts';
import type { StoreView } from '../../store/store-interface.ts';
import { counted } from '../counted.ts';
import { type Finding, findingsOn, sayLength } from './finding.ts';

/** A message that has waited for so long was not just written, in ms. */
const LONG_MS = 15 * 60_000;

/** What has not gone out. Nothing of it is dropped: what waits goes out when it can. */
export async function checkOutbox(now: number, view: StoreView | null): Promise<Finding[]> {
  if (!view) return [];
  const found = findingsOn('outbox');
  const { waiting, refused, oldestWaitingAt, lastAnswer } = await view.read(outboxStanding);
  const answer = lastAnswer === null ? '' : `; the mail server said last: ${onOneLine(lastAnswer)}`;
  const findings: Finding[] = [];
  if (refused > 0)
    findings.push(
      found.doubtful(
        `${counted(refused, 'message')} refused for good by the mail server${answer}`,
        'Those people were not told; list_alerts says of which alert. Mend what the server says, then "acequia tick --resend" tries them once more.',
      ),
    );
  const age = oldestWaitingAt === null ? 0 : Math.max(0, now - oldestWaitingAt);
  if (waiting > 0) {
    const said = `${counted(waiting, 'message')} waiting, the oldest for ${sayLength(age)}${refused > 0 ? '' : answer}`;
    findings.push(
      age >= LONG_MS
        ? found.doubtful(said, 'Mend what "mail" says above. A server that runs, or "acequia tick", sends them then.')
        : found.good(said),
    );
  }
  return findings.length > 0 ? findings : [found.good('nothing waits, nothing was refused')];
}

const onOneLine = (text: string): string => text.replace(/[\p{C}\s]+/gu, ' ').trim();
