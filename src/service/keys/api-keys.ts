import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { MINUTE_MS } from '../../domain/periods.ts';
import { say } from '../../domain/text/say.ts';
import type { Identify } from '../../operation/authorization.ts';
import { AcequiaError } from '../../schema/error.ts';
import type { KeyScope, Role } from '../../schema/scope.ts';
import { type ApiKeyRow, keyByHash, recordUses } from '../../store/keys/api-keys.ts';
import type { Store } from '../../store/store.ts';

export type KeySurface = 'api' | 'mcp';

/** The role of a key that acts for no user. */
export const ROLE_WITHOUT_USER: Role = 'MANAGER';

const KEY_FORMAT = /^acequia_[\w-]{43}$/;

export const isKey = (text: string): boolean => KEY_FORMAT.test(text);

/** 256 random bits. */
export const generateKey = (): string => `acequia_${randomBytes(32).toString('base64url')}`;

/** A key has as many random bits as its hash, so a slow hash would not protect it better. */
export const hashKey = (key: string): string => hash('sha256', key, 'base64url');

type KeyState = 'active' | 'expired' | 'revoked';

type KeyValidity = Pick<ApiKeyRow, 'expires_at' | 'revoked_at'>;

export function keyStateAt({ expires_at, revoked_at }: KeyValidity, now: number): KeyState {
  if (revoked_at !== null) return 'revoked';
  return expires_at !== null && expires_at <= now ? 'expired' : 'active';
}

/**
 * Every invalid key gets the same error, without a reason. `onUse` is called if the last use was
 * recorded some time ago.
 */
export function identifyByKey(
  apiKey: string | undefined,
  clock: () => number,
  onUse: (keyId: number) => void = () => undefined,
): Identify {
  const identify: Identify = async (all) => {
    if (apiKey === undefined || !isKey(apiKey)) throw keyNeededError();

    const presentedHash = hashKey(apiKey);
    const record = await keyByHash(all, presentedHash);
    const now = clock();
    if (
      record === null ||
      !hashesEqual(record.key.hash, presentedHash) ||
      keyStateAt(record.key, now) !== 'active'
    )
      throw keyNeededError();

    const { key, company, role } = record;
    if (isUseToRecord(key.last_used_at, now)) onUse(key.id);
    return {
      company,
      confirm: identify,
      credentialId: `key ${key.id}`,
      source: key.channel,
      caller: {
        id: `key:${key.family}`,
        companyId: company.id,
        userId: key.user_id,
        role: role ?? ROLE_WITHOUT_USER,
        scopes: parseScopes(key.scopes),
      },
    };
  };

  return identify;
}

export const parseScopes = (scopes: string): KeyScope[] => JSON.parse(scopes);

const hashesEqual = (a: string, b: string): boolean =>
  timingSafeEqual(Buffer.from(a), Buffer.from(b));

export const keyNeededError = (): AcequiaError =>
  new AcequiaError({
    code: 'unauthenticated',
    status: 401,
    message: say`No valid API key was given.`,
    hint: say`An API key is needed: "acequia keys create --preset assistant" makes one on the machine of the service, or ask whoever runs it. Send it in the header x-api-key, to /mcp also as Authorization: Bearer; on stdio put it into ACEQUIA_API_KEY.`,
  });

/** A use is recorded only if the recorded one is older than this. */
const USE_INTERVAL_MS = MINUTE_MS;

export const isUseToRecord = (lastUsedAt: number | null, now: number): boolean =>
  lastUsedAt === null || now - lastUsedAt >= USE_INTERVAL_MS;

const FLUSH_DELAY_MS = 500;

/** Failures are reported and not thrown, because no answer depends on the record of a use. */
export function createUseRecorder(
  table: 'api_keys' | 'sessions',
  store: Store,
  clock: () => number,
  report: (error: unknown) => Promise<unknown>,
) {
  const usedIds = new Set<number>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<unknown> = Promise.resolve();

  function write(): void {
    clearTimeout(timer);
    timer = undefined;
    if (usedIds.size === 0) return;
    const ids = [...usedIds];
    usedIds.clear();
    // No company lock is needed: of two uses the later one counts, whichever is written first.
    writing = writing.then(() =>
      store.writeUnlocked((all) => recordUses(all, table, ids, clock())).catch(report),
    );
  }

  return {
    record(id: number) {
      usedIds.add(id);
      timer ??= setTimeout(write, FLUSH_DELAY_MS);
    },
    async close() {
      write();
      await writing;
    },
  };
}
