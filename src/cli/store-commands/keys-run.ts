import { quote } from '../../domain/strings.ts';
import { toIso, toIsoOrNull } from '../../schema/wire-format.ts';
import { chooseCompany, chooseCompanyByExactName } from '../../service/company/company.ts';
import { allPresets, findPreset } from '../../service/ingest/payload/presets.ts';
import type { KeySurface } from '../../service/keys/api-keys.ts';
import {
  type CreatedKey,
  createKey,
  type KeyListing,
  listKeys,
  revokeKey,
  rotateKey,
} from '../../service/keys/key-administration.ts';
import type { KeyPreset } from '../../service/keys/key-presets.ts';
import type { Store } from '../../store/store.ts';
import { EXIT, openExistingStore, reportRefusal } from '../process/command.ts';
import { formatTable, print, printError } from '../process/output.ts';
import type { Settings } from '../process/settings.ts';

/** Goes to standard error; the key itself goes to standard output. */
function formatNewKey({ id, user, scopes, expiresAt }: CreatedKey): string {
  const owner = user === null ? 'no user' : quote(user);
  const end = expiresAt === null ? '' : `, until ${toIso(expiresAt)}`;
  return `Key #${id}, for ${owner}${end}: ${scopes.join(', ')}.\nIt is shown only this once: store it where it is needed.\n`;
}

const HEADINGS = [
  'ID',
  'STATE',
  'COMPANY',
  'USER',
  'SURFACE',
  'CREATED',
  'EXPIRES',
  'LAST USED',
  'SCOPES',
];

function formatKeyTable(keys: readonly KeyListing[]): string {
  if (keys.length === 0) return 'There are no keys yet: "acequia keys create" makes one.\n';
  return formatTable([HEADINGS, ...keys.map(keyCells)]);
}

const keyCells = (key: KeyListing): string[] => [
  String(key.id),
  key.state,
  `${plainText(key.company.name)} (#${key.company.id})`,
  key.user === null ? 'none' : `${plainText(key.user.email ?? '')} (#${key.user.id})`,
  key.surface,
  formatUtcMinute(key.createdAt),
  minuteOr(key.expiresAt, 'never'),
  minuteOr(key.lastUsedAt, 'never'),
  key.scopes.join(','),
];

/** Makes control characters visible, as quote does, without its quotes. */
export const plainText = (text: string): string => quote(text).slice(1, -1);

export const formatUtcMinute = (at: number): string => `${toIso(at).slice(0, 16)}Z`;

export const minuteOr = (at: number | null, none: string): string =>
  at === null ? none : formatUtcMinute(at);

const formatKeysJson = (keys: readonly KeyListing[]): string =>
  `${JSON.stringify(
    keys.map(({ createdAt, expiresAt, revokedAt, lastUsedAt, ...key }) => ({
      ...key,
      createdAt: toIso(createdAt),
      expiresAt: toIsoOrNull(expiresAt),
      revokedAt: toIsoOrNull(revokedAt),
      lastUsedAt: toIsoOrNull(lastUsedAt),
    })),
    null,
    2,
  )}\n`;

interface OutputOptions {
  readonly json?: boolean | undefined;
}

interface CreateKeyOptions extends OutputOptions {
  readonly company?: string | undefined;
  readonly user?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
  readonly preset?: KeyPreset | undefined;
  readonly webhook?: string | undefined;
  readonly surface?: KeySurface | undefined;
  readonly expires?: number | undefined;
}

interface ListKeysOptions extends OutputOptions {
  readonly company?: string | undefined;
}

interface RotateKeyOptions extends OutputOptions {
  readonly overlap: number;
  readonly expires?: number | undefined;
}

/** Only the key goes to standard output. Each command returns its exit code. */
export const runCreateKey = (options: CreateKeyOptions, settings: Settings): Promise<number> =>
  withKeyStore(settings, async (store, now) => {
    const { user, scopes, preset, webhook, expires = null } = options;
    // A name without a slash is that of a map, whose file only the service reads.
    if (webhook?.includes('/')) findPreset(webhook, '--webhook');
    const surface = options.surface ?? (preset === 'assistant' ? 'mcp' : 'api');
    const company = await chooseCompanyByExactName(store, options.company);

    const request = { company, user, scopes, preset, webhook, surface, expiresAt: expires };
    printKey(await createKey(store, request, now), options);

    if (webhook !== undefined && !allPresets().some(({ name }) => name === webhook))
      printError(
        `${quote(webhook)} is not a preset: the key works once "acequia serve --maps FOLDER" reads ${webhook}.json.\n`,
      );

    if (!options.json && webhook !== undefined)
      printError(
        `Post to /v1/ingest/${webhook} with the header x-api-key, or without it to /v1/ingest/KEY.\n`,
      );
    else if (!options.json && scopes === undefined && preset === undefined)
      printError(
        'It can only read. For a key that writes, give --preset assistant or everything; for one that sends readings, --preset ingest.\n',
      );
  });

export const runListKeys = (options: ListKeysOptions, settings: Settings): Promise<number> =>
  withKeyStore(settings, async (store, now) => {
    const company =
      options.company === undefined ? null : await chooseCompany(store, options.company);
    const keys = await listKeys(store, company, now);
    print(options.json ? formatKeysJson(keys) : formatKeyTable(keys));
  });

export const runRotateKey = (
  id: number,
  options: RotateKeyOptions,
  settings: Settings,
): Promise<number> =>
  withKeyStore(settings, async (store, now) => {
    const rotated = await rotateKey(
      store,
      { id, overlapMs: options.overlap, expiresAt: options.expires },
      now,
    );
    printKey(rotated, options);

    if (!options.json)
      printError(
        rotated.oldEndsAt <= now
          ? `Key #${id} has expired.\n`
          : `Key #${id} expires ${toIso(rotated.oldEndsAt)}.\n`,
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
  if (!json) printError(formatNewKey(created));
}

export async function withKeyStore(
  { db, clock }: Settings,
  body: (store: Store, now: number) => Promise<void>,
): Promise<number> {
  let store: Store | undefined;
  try {
    store = await openExistingStore(db);
    await body(store, clock());
    return EXIT.done;
  } catch (error) {
    return reportRefusal(error);
  } finally {
    await store?.close();
  }
}
