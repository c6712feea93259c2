import { AcequiaError, storeUnavailable } from '../schema/error.ts';
import type { KeySurface } from '../service/api-keys.ts';
import { chooseCompany } from '../service/choose-company.ts';
import { createKey, listKeys, type MadeKey, revokeKey, rotateKey } from '../service/key-register.ts';
import { isoOf } from '../service/wire.ts';
import { isMissing } from '../store/address.ts';
import { openStore, type Store } from '../store/store.ts';
import { print } from './output.ts';
import { keysAsJson, sayKeys, sayMade } from './say-keys.ts';
import { sayRefusal } from './say-refusal.ts';
import type { Settings } from './settings.ts';

interface Shown {
  readonly json?: boolean | undefined;
}

export interface CreateOptions extends Shown {
  readonly company?: string | undefined;
  readonly user?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
  readonly surface: KeySurface;
  /** In ms. */
  readonly expires?: number | undefined;
}

export interface ListOptions extends Shown {
  readonly company?: string | undefined;
}

export interface RotateOptions extends Shown {
  /** In ms. */
  readonly overlap: number;
  /** In ms. */
  readonly expires?: number | undefined;
}

/** Makes a key and prints it, alone; what else is to be known goes to standard error. Each command returns its exit code. */
export const runCreate = (options: CreateOptions, settings: Settings): Promise<number> =>
  onStore(settings, async (store, now) => {
    const { user, scopes, surface, expires = null } = options;
    const company = await chooseCompany(store, options.company);
    printMade(await createKey(store, { company, user, scopes, surface, expiresAt: expires }, now), options);
  });

export const runList = (options: ListOptions, settings: Settings): Promise<number> =>
  onStore(settings, async (store, now) => {
    const company = options.company === undefined ? null : await chooseCompany(store, options.company);
    const keys = await listKeys(store, company, now);
    print(options.json ? keysAsJson(keys) : sayKeys(keys));
  });

export const runRotate = (id: number, options: RotateOptions, settings: Settings): Promise<number> =>
  onStore(settings, async (store, now) => {
    const made = await rotateKey(store, { id, overlapMs: options.overlap, expiresAt: options.expires }, now);
    printMade(made, options);
    if (!options.json)
      process.stderr.write(
        made.oldEndsAt <= now ? `Key #${id} has ended.\n` : `Key #${id} ends ${isoOf(made.oldEndsAt)}.\n`,
      );
  });

export const runRevoke = (id: number, settings: Settings): Promise<number> =>
  onStore(settings, async (store, now) => {
    await revokeKey(store, id, now);
    print(`Key #${id} is revoked.\n`);
  });

function printMade(made: MadeKey, { json }: Shown): void {
  const { id, key } = made;
  print(json ? `${JSON.stringify({ id, key })}\n` : `${key}\n`);
  if (!json) process.stderr.write(sayMade(made));
}

async function onStore({ db, clock }: Settings, body: (store: Store, now: number) => Promise<void>): Promise<number> {
  let store: Store | undefined;
  try {
    if (isMissing(db))
      throw storeUnavailable(
        `There is no store ${db}.`,
        'Name the file with --db or ACEQUIA_DB, or make one: "acequia import farm.json".',
      );
    store = await openStore({ db });
    await body(store, clock());
    return 0;
  } catch (error) {
    if (!(error instanceof AcequiaError)) throw error;
    process.stderr.write(sayRefusal(error));
    return error.code === 'invalid_parameter' && error.field !== undefined ? 2 : 1;
  } finally {
    await store?.close();
  }
}
