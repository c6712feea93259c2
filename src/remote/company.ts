import { langOfCountry } from '../domain/country-lang.ts';
import { otherNames, shownName } from '../domain/labels.ts';
import type { Lang } from '../domain/lang.ts';
import { isZone } from '../domain/zone.ts';
import type { Directory, NamedModule, NamedParcel } from '../operation/directory.ts';
import { AcequiaError } from '../schema/error.ts';
import { DEFAULT_ZONE } from '../schema/place.ts';
import { ticking } from './bounds.ts';
import { type Kept, kept } from './kept.ts';
import { allPages, type Row } from './pages.ts';
import type { Service } from './service.ts';

const COMPANY_MS = 5 * 60_000;
const NAMES_MS = 30_000;
/** So long, in ms, a call waits to learn what its person hears: English says the same. */
const LANG_WAIT_MS = 3_000;

/** What a call knows of the company before it is made: the zone of local times, what its people hear, and what things are called. */
export interface Company {
  /** Or why it cannot be had from a service that does answer: the key may not read the company, say. */
  zone(deadline: number): Promise<string | AcequiaError>;
  /** False where the company says that it declared none; true where it cannot be had. */
  isZoneDeclared(deadline: number): Promise<boolean>;
  /** As it was chosen, else that of the country; English where that cannot be had. */
  lang(deadline: number): Promise<Lang>;
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

/**
 * Asks the service for the company of the key, for `withinMs` at most, and keeps what it says for a while; `chosen` is what
 * its people hear.
 */
export function companyOf(
  { get, late }: Pick<Service, 'get' | 'late'>,
  chosen: Lang | undefined,
  withinMs: number,
): Company {
  const keptFor = <T>(ms: number, fetch: (deadline: number) => Promise<T>): Kept<T | AcequiaError> =>
    kept({ goodForMs: () => ms, withinMs, fetch: (deadline) => withheldAsError(fetch(deadline)), late });
  const company = keptFor(COMPANY_MS, async (deadline) => {
    const told = await get('/company', {}, deadline);
    return { zone: zoneIn(told), isZoneDeclared: isZoneIn(told), lang: langIn(told) };
  });
  const lang = async (deadline: number): Promise<Lang> => {
    if (chosen !== undefined) return chosen;
    const told = await company.get(Math.min(deadline, ticking() + LANG_WAIT_MS)).catch(() => null);
    return told === null || told instanceof AcequiaError ? 'en' : told.lang;
  };
  const modules = keptFor(NAMES_MS, async (deadline) => {
    const heard = await lang(deadline);
    return (await allPages(get, '/modules', { lang: heard }, deadline)).map((row) => moduleIn(row, heard));
  });
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

  return {
    async zone(deadline) {
      const told = await company.get(deadline);
      return told instanceof AcequiaError ? told : told.zone;
    },
    async isZoneDeclared(deadline) {
      const told = await company.get(deadline).catch(() => null);
      return told === null || told instanceof AcequiaError || told.isZoneDeclared;
    },
    lang,
    names,
  };
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

const isZoneIn = (company: unknown): boolean => (company as Row | null)?.timezone !== null;

function langIn(company: unknown): Lang {
  const country = (company as Row | null)?.countryCode;
  return langOfCountry(typeof country === 'string' ? country : null);
}

const textOr = <T>(value: unknown, otherwise: T): string | T => (typeof value === 'string' ? value : otherwise);

const moduleIn = ({ id, name, uid, category, parcelId }: Row, lang: Lang): NamedModule => ({
  id: id as number,
  name: textOr(name, null),
  otherNames: otherNamesOf(textOr(name, ''), textOr(category, null), lang),
  uid: textOr(uid, ''),
  category: textOr(category, null),
  parcelId: Number.isSafeInteger(parcelId) ? (parcelId as number) : null,
});

/** A name that may be the default one of its language ("Soil probe 12") stands for those of the others. */
function otherNamesOf(name: string, category: string | null, lang: Lang): string[] {
  const number = Number(/\d+$/.exec(name)?.[0] ?? Number.NaN);
  const unnamed = { name: null, category, number };
  return shownName(unnamed, lang) === name ? otherNames(unnamed, lang) : [];
}

/** A parcel without a name cannot be meant. */
const parcelIn = ({ id, name }: Row): NamedParcel[] => (typeof name === 'string' ? [{ id: id as number, name }] : []);
