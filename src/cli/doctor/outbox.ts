import { outboxStatistics } from '../../store/outbox.ts';
import type { StoreView } from '../../store/store-interface.ts';
import { formatTerminalCount } from '../counted.ts';
import { type DoctorFinding, findingsAbout, formatRoughDuration } from './finding.ts';

/** A message that has waited for so long was not just written, in ms. */
const LONG_WAIT_MS = 15 * 60_000;

/** What has not gone out. Nothing of it is dropped: what waits goes out when it can. */
export async function checkOutbox(now: number, view: StoreView | null): Promise<DoctorFinding[]> {
  if (!view) return [];
  const finding = findingsAbout('outbox');
  const { waiting, refused, oldestWaitingAt, lastAnswer } = await view.read(outboxStatistics);
  const answer = lastAnswer === null ? '' : `; the mail server said last: ${onOneLine(lastAnswer)}`;
  const findings: DoctorFinding[] = [];
  if (refused > 0)
    findings.push(
      finding.doubtful(
        `${formatTerminalCount(refused, 'message')} refused for good by the mail server${answer}`,
        'Those people were not told; list_alerts says of which alert. Mend what the server says, then "acequia tick --resend" tries them once more.',
      ),
    );
  const age = oldestWaitingAt === null ? 0 : Math.max(0, now - oldestWaitingAt);
  if (waiting > 0) {
    const text = `${formatTerminalCount(waiting, 'message')} waiting, the oldest for ${formatRoughDuration(age)}${refused > 0 ? '' : answer}`;
    findings.push(
      age >= LONG_WAIT_MS
        ? finding.doubtful(text, 'Mend what "mail" says above. A server that runs, or "acequia tick", sends them then.')
        : finding.good(text),
    );
  }
  return findings.length > 0 ? findings : [finding.good('nothing waits, nothing was refused')];
}

const onOneLine = (text: string): string => text.replace(/[\p{C}\s]+/gu, ' ').trim();
