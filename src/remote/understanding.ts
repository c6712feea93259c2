import type { Lang } from '../domain/lang.ts';
import type { AnyOperation } from '../operation/operation.ts';
import type { Ask } from '../operation/performer.ts';
import { toolFields, type Understood } from '../operation/tool-arguments.ts';
import { AcequiaError, refuse } from '../schema/error.ts';
import { factsOf } from '../schema/field.ts';
import type { Company, Names } from './company.ts';

/** Zones whose days never meet: what reads alike in both needs no zone. */
const FAR_WEST = 'Etc/GMT+12';
const FAR_EAST = 'Pacific/Kiritimati';

/**
 * Reads the arguments of a call with what the service says of the company. A name that an earlier list does not know is
 * looked up in a new one; where the lists or the zone are withheld, ids and times with an offset still work.
 */
export async function understandAsked(
  described: AnyOperation,
  ask: Ask,
  company: Company,
  now: number,
  deadline: number,
): Promise<Understood> {
  const zone = takesTimes(described) ? await company.zone(deadline) : 'UTC';
  const lang = await company.lang(deadline);
  const names = company.names(deadline);
  try {
    return await read(ask, { zone, lang, now }, names);
  } catch (error) {
    if (!(error instanceof AcequiaError) || !names.isOld()) throw asWithheld(error, names);
    const anew = company.names(deadline, true);
    return read(ask, { zone, lang, now }, anew).catch((again: unknown) => {
      throw asWithheld(again, anew);
    });
  }
}

const takesTimes = (described: AnyOperation): boolean =>
  toolFields(described).some(([, schema]) => ['instant', 'bound', 'point'].includes(factsOf(schema).kind));

async function read(
  ask: Ask,
  { zone, ...given }: { zone: string | AcequiaError; lang: Lang; now: number },
  { directory }: Names,
): Promise<Understood> {
  if (typeof zone === 'string') return ask.understand({ ...given, zone, directory });
  const west = await ask.understand({ ...given, zone: FAR_WEST, directory });
  const east = await ask.understand({ ...given, zone: FAR_EAST, directory });
  if (JSON.stringify(west.wire) === JSON.stringify(east.wire)) return west;
  throw refuse(zone.code, `The time is local, and the zone of the company is withheld: ${zone.message}`, {
    status: zone.status,
    hint: 'Give the time with its offset, such as "2026-07-01T06:00:00+02:00", or use a key with the scope company:read.',
  });
}

/** A name that is not found in a list that may not be read is not unknown. */
function asWithheld(error: unknown, names: Names): unknown {
  const withheld = names.withheld();
  if (withheld === null || !(error instanceof AcequiaError)) return error;
  return new AcequiaError({
    code: withheld.code,
    status: withheld.status,
    message: `Names cannot be looked up with this key: ${withheld.message}`,
    hint: `Pass an id with # before it, such as "#12"${error.field === undefined ? '' : `, as ${error.field}`}.`,
    field: error.field,
  });
}
