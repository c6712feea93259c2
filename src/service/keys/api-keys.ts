import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Identify } from '../../operation/local-performer.ts';
import { AcequiaError } from '../../schema/error.ts';
import type { Role, Scope } from '../../schema/scope.ts';
import { type ApiKeyRow, keyByHash, recordKeyUses } from '../../store/keys/api-keys.ts';

import type { Store } from '../../store/store.ts';

/** Surfaces that a key's writes may carry as their source. */
export const KEY_SURFACES = ['api', 'mcp'] as const;
export type KeySurface = (typeof KEY_SURFACES)[number];

/** How a key without a user acts, within its scopes. */
export const ROLE_WITHOUT_USER: Role = 'MANAGER';

const KEY_FORMAT = /^acequia_[\w-]{43}$/;

/** How often a key's last use is written at most, in ms. */
const USE_RECORDED_EVERY_MS = 60_000;

/** A new key: 256 random bits. */
export const generateKey = (): string => `acequia_${randomBytes(32).toString('base64url')}`;

/** What is kept of a key. It is as random as its hash is long: a slow hash would protect nothing more. */
export const hashKey = (key: string): string => hash('sha256', key, 'base64url');

export type KeyState = 'active' | 'expired' | 'revoked';

type KeyValidity = Pick<ApiKeyRow, 'expires_at' | 'revoked_at'>;

export function keyStateAt({ expires_at, revoked_at }: KeyValidity, now: number): KeyState {
  if (revoked_at !== null) return 'revoked';
  return expires_at !== null && expires_at <= now ? 'expired' : 'active';
}

/**
 * Who asks, by the key they give: 401 for a key that is malformed, unknown, revoked or expired, and never told which.
 * `onUse` hears of a key whose noted last use is old.
 */
export function identifyByKey(
  apiKey: string | undefined,
  clock: () => number,
  onUse: (keyId: number) => void = () => undefined,
): Identify {
  return async (all) => {
    if (apiKey === undefined || !KEY_FORMAT.test(apiKey)) throw unauthenticated();
    const presentedHash = hashKey(apiKey);
    const record = await keyByHash(all, presentedHash);
    const now = clock();
    if (record === null || !hashesEqual(record.key.hash, presentedHash) || keyStateAt(record.key, now) !== 'active')
      throw unauthenticated();
    const { key, company, role } = record;
    if (key.last_used_at === null || now - key.last_used_at >= USE_RECORDED_EVERY_MS) onUse(key.id);
    return {
      company,
      source: key.surface as KeySurface,
      caller: {
        id: `key:${key.family}`,
        companyId: company.id,
        userId: key.user_id,
        role: (role ?? ROLE_WITHOUT_USER) as Role,
        scopes: JSON.parse(key.scopes) as Scope[],
      },
    };
  };
}

const hashesEqual = (a: string, b: string): boolean => timingSafeEqual(Buffer.from(a), Buffer.from(b));

const unauthenticated = (): AcequiaError =>
  new AcequiaError({
    code: 'unauthenticated',
    status: 401,
    message: 'No valid API key was given.',
    hint: 'Give a key that is neither revoked nor expired: in the header x-api-key over HTTP, in ACEQUIA_API_KEY on stdio. "acequia keys list" tells which there are.',
  });

/** Uses are gathered this long, in ms, and written together. */
const FLUSH_DELAY_MS = 500;

/** When keys were last used, written behind the answers. */
export interface KeyUseRecorder {
  record(keyId: number): void;
  /** Writes what is still to be written. */
  close(): Promise<void>;
}

/** A use that cannot be written is reported and forgotten: no answer depends on it. */
export function createKeyUseRecorder(
  store: Store,
  clock: () => number,
  report: (error: unknown) => Promise<unknown>,
): KeyUseRecorder {
  const used = new Set<number>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<unknown> = Promise.resolve();

  function write(): void {
    clearTimeout(timer);
    timer = undefined;
    if (used.size === 0) return;
    const ids = [...used];
    used.clear();
    // In no company's turn: a use is the later of two, whoever writes first, and the books of a company hold none.
    writing = writing.then(() => store.writeUnlocked((all) => recordKeyUses(all, ids, clock())).catch(report));
  }

  return {
    record(keyId) {
      used.add(keyId);
      timer ??= setTimeout(write, FLUSH_DELAY_MS);
    },
    async close() {
      write();
      await writing;
    },
  };
}
