import type { Lang } from '../domain/lang.ts';
import type { OperationArguments } from '../operation/arguments/tool-arguments.ts';
import { fingerprintArguments } from '../operation/idempotency.ts';
import { type AnyOperation, type RunRead, toolFields } from '../operation/operation.ts';
import type { OperationRequest } from '../operation/operation-runner.ts';
import type { Advisory } from '../schema/advisory.ts';
import { AcequiaError, invalidInputError } from '../schema/error.ts';
import { fieldMetadata, isInstantKind } from '../schema/field.ts';
import { REPLAY_WINDOW_MS } from '../store/idempotency.ts';
import type { NameLookup, RemoteCompany } from './company.ts';

/** A time that is the same instant in both of these zones does not depend on the company's zone. */
const FAR_WEST = 'Etc/GMT+12';
const FAR_EAST = 'Pacific/Kiritimati';

interface RemoteArgumentContext {
  readonly company: RemoteCompany;
  readonly now: number;
  readonly deadline: number;
  readonly runRead: RunRead;
}

/**
 * Lists are fetched again if a cached one lacks a name or matches it only loosely. Without access
 * to the lists, ids and times with an offset still work.
 */
export async function readRemoteArguments(
  operation: AnyOperation,
  request: OperationRequest,
  { company, now, deadline, runRead }: RemoteArgumentContext,
): Promise<OperationArguments> {
  const zone = takesTimes(operation) ? await company.zone(deadline) : 'UTC';
  const { lang } = company;
  const names = company.names(deadline);
  try {
    const parsed = await readWithZone(request, { zone, lang, now, runRead }, names);
    if (!names.isFromCache() || !parsed.advisories.some(isLooseName)) return parsed;
  } catch (error) {
    if (!(error instanceof AcequiaError) || !names.isFromCache())
      throw withAccessError(error, names);
  }

  const freshNames = company.names(deadline, true);
  return readWithZone(request, { zone, lang, now, runRead }, freshNames).catch(
    (secondError: unknown) => {
      throw withAccessError(secondError, freshNames);
    },
  );
}

const isLooseName = (advisory: Advisory): boolean =>
  advisory.kind === 'name_understood' || advisory.kind === 'only_probe_of_parcel';

const takesTimes = (operation: AnyOperation): boolean =>
  toolFields(operation).some(
    ([, schema]) =>
      isInstantKind(fieldMetadata(schema).kind) ||
      ['point', 'date', 'period'].includes(fieldMetadata(schema).kind),
  );

async function readWithZone(
  request: OperationRequest,
  { zone, ...context }: { zone: string | AcequiaError; lang: Lang; now: number; runRead: RunRead },
  { directory }: NameLookup,
): Promise<OperationArguments> {
  if (typeof zone === 'string') return request.readArguments({ ...context, zone, directory });

  const west = await request.readArguments({ ...context, zone: FAR_WEST, directory });
  const east = await request.readArguments({ ...context, zone: FAR_EAST, directory });
  if (JSON.stringify(west.restArguments) === JSON.stringify(east.restArguments)) return west;

  throw invalidInputError(
    zone.code,
    `The time is local, and the company time zone is not readable with this key: ${zone.message}`,
    {
      status: zone.status,
      hint: 'Give the time with its offset, such as "2026-07-01T06:00:00+02:00", or use a key with the scope company:read.',
    },
  );
}

/** A name may exist in a list that the key may not read, so it is not reported as unknown. */
function withAccessError(error: unknown, names: NameLookup): unknown {
  const accessError = names.accessError();
  if (accessError === null || !(error instanceof AcequiaError)) return error;
  return new AcequiaError({
    code: accessError.code,
    status: accessError.status,
    message: `Names cannot be looked up with this key: ${accessError.message}`,
    hint: `Pass an id with # before it, such as "#12"${error.field === undefined ? '' : `, as ${error.field}`}.`,
    field: error.field,
  });
}

const MAX_ENTRIES = 1_000;

interface CachedArguments extends OperationArguments {
  readonly readAtMs: number;
}

/**
 * A call repeated with its key sends the same request, even if "yesterday" has become another day.
 */
export function idempotentArgumentCache() {
  const entries = new Map<string, CachedArguments>();
  const entryKey = (operation: string, key: string, args: unknown): string =>
    JSON.stringify([operation, key, fingerprintArguments(args)]);

  return {
    get(operation: string, key: string, args: unknown, now: number): CachedArguments | null {
      const entry = entries.get(entryKey(operation, key, args));
      return entry !== undefined && now < entry.readAtMs + REPLAY_WINDOW_MS ? entry : null;
    },
    set(operation: string, key: string, args: unknown, cachedArguments: CachedArguments): void {
      entries.set(entryKey(operation, key, args), cachedArguments);
      for (const oldest of entries.keys()) {
        if (entries.size <= MAX_ENTRIES) break;
        entries.delete(oldest);
      }
    },
    delete(operation: string, key: string, args: unknown): void {
      entries.delete(entryKey(operation, key, args));
    },
  };
}
