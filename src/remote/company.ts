import type { Lang } from '../domain/lang.ts';
import { isZone } from '../domain/zone.ts';
import type { Directory, NamedModule, NamedParcel } from '../operation/directory.ts';
import { AcequiaError } from '../schema/error.ts';
import { DEFAULT_ZONE } from '../schema/place.ts';
import { type Kept, kept } from './kept.ts';
import { allPages, type Row } from './pages.ts';
import type { Service } from './service.ts';

const ZONE_MS = 5 * 60_000;
const NAMES_MS = 30_000;

/** What a call knows of the company before it is made: the zone of local times, and what things are called. */
export interface Company {
  /** Or why it cannot be had from a service that does answer: the key may not read the company, say. */
  zone(deadline: number): Promise<string | AcequiaError>;
  /** The names, for one call. */
  names(deadline: number, anew?: boolean): Names;
}

export interface Names {
  readonly directory: Directory;
  /** Whether a list was used that an earlier call had fetched: it may lack what is new. */
  readonly isOld: () => boolean;
  /** Why a list that was asked for was withheld; its directory then is empty. */
  readonly withheld: () => AcequiaError | null;
}

/** Asks the service for the company of the key, for `withinMs` at most, and keeps what it says for a while. */
export function companyOf({ get, late }: Pick<Service, 'get' | 'late'>, lang: Lang, withinMs: number): Company {
  const keptFor = <T>(ms: number, fetch: (deadline: number) => Promise<T>): Kept<T | AcequiaError> =>
    kept({ goodForMs: () => ms, withinMs, fetch: (deadline) => withheldAsError(fetch(deadline)), late });
  const zone = keptFor(ZONE_MS, async (deadline) => zoneIn(await get('/company', {}, deadline)));
  const modules = keptFor(NAMES_MS, async (deadline) =>
    (await allPages(get, '/modules', { lang }, deadline)).map(moduleIn),
  );
  const parcels = keptFor(NAMES_MS, async (deadline) =>
    (await allPages(get, '/parcels', {}, deadline)).flatMap(parcelIn),
  );

  function names(deadline: number, anew = false): Names {
    let isOld = false;
    let withheld: AcequiaError | null = null;
    const asked = async <T>(list: Kept<readonly T[] | AcequiaError>): Promise<readonly T[]> => {
      isOld ||= !anew && list.isAtHand();
      const found = await list.get(deadline, anew);
      if (!(found instanceof AcequiaError)) return found;
      withheld = found;
      return [];
    };
    return {
      directory: { modules: () => asked(modules), parcels: () => asked(parcels) },
      isOld: () => isOld,
      withheld: () => withheld,
    };
  }

  return { zone: (deadline) => zone.get(deadline), names };
}

/** What the key may not read, or a service does not have, is an answer too. */
function withheldAsError<T>(asked: Promise<T>): Promise<T | AcequiaError> {
  return asked.catch((error: unknown) => {
    if (error instanceof AcequiaError && (error.status === 403 || error.status === 404)) return error;
    throw error;
  });
}

function zoneIn(company: unknown): string {
  const zone = (company as Row | null)?.timezone;
  return typeof zone === 'string' && isZone(zone) ? zone : DEFAULT_ZONE;
}

const textOr = <T>(value: unknown, otherwise: T): string | T => (typeof value === 'string' ? value : otherwise);

const moduleIn = ({ id, name, uid, category, parcelId }: Row): NamedModule => ({
  id: id as number,
  name: textOr(name, null),
  uid: textOr(uid, ''),
  category: textOr(category, null),
  parcelId: Number.isSafeInteger(parcelId) ? (parcelId as number) : null,
});

/** A parcel without a name cannot be meant. */
const parcelIn = ({ id, name }: Row): NamedParcel[] => (typeof name === 'string' ? [{ id: id as number, name }] : []);
