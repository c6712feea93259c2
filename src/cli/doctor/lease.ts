import { allLeases } from '../../store/standing.ts';
import type { StoreView } from '../../store/store-interface.ts';
import { type DoctorFinding, findingsAbout, formatRoughDuration, formatUtcSecond } from './finding.ts';

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
