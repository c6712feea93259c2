import { allLeases } from '../../store/standing.ts';
import type { StoreView } from '../../store/store-interface.ts';
import { type Finding, findingsOn, sayLength, sayUtc } from './finding.ts';

/** Longer than any holder takes a lease for, in ms. */
const LONGEST_MS = 10 * 60_000;

/** Who does the housekeeping and who sends mail. `now` is real time, ms: leases know no other. */
export async function checkLeases(now: number, view: StoreView | null): Promise<Finding[]> {
  if (!view) return [];
  const leases = await view.read(allLeases);
  const found = findingsOn('lease');
  if (leases.length === 0) return [found.good('free: nobody is doing the housekeeping or sending mail just now')];
  return leases.map(({ name, holder, held_until: until }) => {
    if (until > now + LONGEST_MS)
      return found.bad(
        `"${name}" is held by ${holder} until ${sayUtc(until)}, ${sayLength(until - now)} from now: the machine's clock was set back`,
        "Set the machine's clock right. If it is right now, nobody takes over before that instant.",
      );
    if (until > now) return found.good(`"${name}" is held by ${holder}, until ${sayUtc(until)} at the latest`);
    return found.good(`"${name}" was left by ${holder} at ${sayUtc(until)}; the next process takes it over`);
  });
}
