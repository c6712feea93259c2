import { outboxStatistics } from '../../store/mail/outbox.ts';
import { allLeases } from '../../store/statistics.ts';
import type { StoreView } from '../../store/store-interface.ts';
import { formatTerminalCount } from '../process/terminal-text.ts';
import { type DoctorFinding, findingsAbout, formatRoughDuration, formatUtcSecond } from './findings.ts';

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

/** Longer than any holder takes a lease for, in ms. */
const LONGEST_LEASE_MS = 10 * 60_000;

/** Who does the housekeeping and who sends mail. `now` is real time, ms: leases know no other. */
export async function checkLeases(now: number, view: StoreView | null): Promise<DoctorFinding[]> {
  if (!view) return [];
  const leases = await view.read(allLeases);
  const finding = findingsAbout('lease');
  if (leases.length === 0) return [finding.good('free: nobody is doing the housekeeping or sending mail just now')];
  return leases.map(({ name, holder, held_until: until }) => {
    if (until > now + LONGEST_LEASE_MS)
      return finding.bad(
        `"${name}" is held by ${holder} until ${formatUtcSecond(until)}, ${formatRoughDuration(until - now)} from now: the machine's clock was set back`,
        "Set the machine's clock right. If it is right now, nobody takes over before that instant.",
      );
    if (until > now)
      return finding.good(`"${name}" is held by ${holder}, until ${formatUtcSecond(until)} at the latest`);
    return finding.good(`"${name}" was left by ${holder} at ${formatUtcSecond(until)}; the next process takes it over`);
  });
}
