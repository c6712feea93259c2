import { AcequiaError, storeUnavailable } from '../schema/error.ts';
import type { KeySurface } from '../service/api-keys.ts';
import { chooseCompany } from '../service/choose-company.ts';
import { type CreatedKey, createKey, listKeys, revokeKey, rotateKey } from '../service/key-register.ts';
import { toIso } from '../service/wire.ts';
import { isMissingFile } from '../store/address.ts';
import { openStore, type Store } from '../store/store.ts';
import { print } from './output.ts';
import { formatKeysJson, formatKeyTable, formatNewKey } from './say-keys.ts';
import { formatRefusal } from './say-refusal.ts';
import type { Settings } from './settings.ts';

interface OutputOptions {
  readonly json?: boolean | undefined;
}

export interface CreateKeyOptions extends OutputOptions {
  readonly company?: string | undefined;
  readonly user?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
  readonly surface: KeySurface;
  /** In ms. */
  readonly expires?: number | undefined;
}

export interface ListKeysOptions extends OutputOptions {
  readonly company?: string | undefined;
}

export interface RotateKeyOptions extends OutputOptions {
  /** In ms. */
  readonly overlap: number;
  /** In ms. */
  readonly expires?: number | undefined;
}

/** Makes a key and prints it, alone; what else is to be known goes to standard error. Each command returns its exit code. */
export const runCreateKey = (options: CreateKeyOptions, settings: Settings): Promise<number> =>
  withKeyStore(settings, async (store, now) => {
    const { user, scopes, surface, expires = null } = options;
    const company = await chooseCompany(store, options.company);
    printKey(await createKey(store, { company, user, scopes, surface, expiresAt: expires }, now), options);
  });

export const runListKeys = (options: ListKeysOptions, settings: Settings): Promise<number> =>
  withKeyStore(settings, async (store, now) => {
    const company = options.company === undefined ? null : await chooseCompany(store, options.company);
    const keys = await listKeys(store, company, now);
    print(options.json ? formatKeysJson(keys) : formatKeyTable(keys));
  });

export const runRotateKey = (id: number, options: RotateKeyOptions, settings: Settings): Promise<number> =>
  withKeyStore(settings, async (store, now) => {
    const rotated = await rotateKey(store, { id, overlapMs: options.overlap, expiresAt: options.expires }, now);
    printKey(rotated, options);
    if (!options.json)
      process.stderr.write(
        rotated.oldEndsAt <= now ? `Key #${id} has ended.\n` : `Key #${id} ends ${toIso(rotated.oldEndsAt)}.\n`,
      );
  });

export const runRevokeKey = (id: number, settings: Settings): Promise<number> =>
  withKeyStore(settings, async (store, now) => {
    await revokeKey(store, id, now);
    print(`Key #${id} is revoked.\n`);
  });

function printKey(created: CreatedKey, { json }: OutputOptions): void {
  const { id, key } = created;
  print(json ? `${JSON.stringify({ id, key })}\n` : `${key}\n`);
  if (!json) process.stderr.write(formatNewKey(created));
}

async function withKeyStore(
  { db, clock }: Settings,
  body: (store: Store, now: number) => Promise<void>,
): Promise<number> {
  let store: Store | undefined;
  try {
    if (isMissingFile(db))
      throw storeUnavailable(
        `There is no store ${db}.`,
        'Name the file with --db or ACEQUIA_DB, or make one: "acequia import farm.json".',
      );
    store = await openStore({ db });
    await body(store, clock());
    return 0;
  } catch (error) {
    if (!(error instanceof AcequiaError)) throw error;
    process.stderr.write(formatRefusal(error));
    return error.code === 'invalid_parameter' && error.field !== undefined ? 2 : 1;
  } finally {
    await store?.close();
  }
}
