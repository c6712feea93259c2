import type { OperationRequest } from '../operation-runner.ts';
import type { CompanyShares, Place } from './company-shares.ts';

/** The company has as many reads in progress as it may. */
class NoPlaceFree extends Error {
  readonly shares: CompanyShares;
  readonly companyId: number;

  constructor(shares: CompanyShares, companyId: number) {
    super('The company has to wait for a place');
    this.shares = shares;
    this.companyId = companyId;
  }
}

/** Null where reads need no place. Must run within `inShareOfCompany`. */
export function takePlace(shares: CompanyShares | undefined, companyId: number): Place | null {
  if (!shares) return null;
  const place = shares.tryTake(companyId);
  if (!place) throw new NoPlaceFree(shares, companyId);
  return place;
}

/** Only a read that finds no place waits, and then it begins again: its snapshot would be old. */
export async function inShareOfCompany<T>(
  { signal, trace }: Pick<OperationRequest, 'signal' | 'trace'>,
  attempt: (place: Place | null) => Promise<T>,
): Promise<T> {
  try {
    return await attempt(null);
  } catch (error) {
    if (!(error instanceof NoPlaceFree)) throw error;

    const endWait = trace?.startWait();
    const place = await error.shares.take(error.companyId, signal).finally(endWait);
    return attempt(place).finally(() => place.release());
  }
}
