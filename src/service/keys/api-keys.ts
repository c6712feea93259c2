import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Identify } from '../../operation/authorization.ts';
import { AcequiaError } from '../../schema/error.ts';
import type { KeyScope, Role } from '../../schema/scope.ts';
import { type ApiKeyRow, keyByHash } from '../../store/keys/api-keys.ts';
import { isUseToRecord } from './use-recorder.ts';

export const KEY_SURFACES = ['api', 'mcp'] as const;
export type KeySurface = (typeof KEY_SURFACES)[number];

export const ROLE_WITHOUT_USER: Role = 'MANAGER';

const KEY_FORMAT = /^acequia_[\w-]{43}$/;

export const isKey = (text: string): boolean => KEY_FORMAT.test(text);

/** 256 random bits. */
export const generateKey = (): string => `acequia_${randomBytes(32).toString('base64url')}`;

/** A key has as many random bits as its hash, so a slow hash would not protect it better. */
export const hashKey = (key: string): string => hash('sha256', key, 'base64url');

export type KeyState = 'active' | 'expired' | 'revoked';

type KeyValidity = Pick<ApiKeyRow, 'expires_at' | 'revoked_at'>;

export function keyStateAt({ expires_at, revoked_at }: KeyValidity, now: number): KeyState {
  if (revoked_at !== null) return 'revoked';
  return expires_at !== null && expires_at <= now ? 'expired' : 'active';
}

/** Any invalid key is 401, without a reason. `onUse` is called if the recorded last use is old. */
export function identifyByKey(
  apiKey: string | undefined,
  clock: () => number,
  onUse: (keyId: number) => void = () => undefined,
): Identify {
  const identify: Identify = async (all) => {
    if (apiKey === undefined || !KEY_FORMAT.test(apiKey)) throw keyNeeded();
    const presentedHash = hashKey(apiKey);
    const record = await keyByHash(all, presentedHash);
    const now = clock();
    if (record === null || !hashesEqual(record.key.hash, presentedHash) || keyStateAt(record.key, now) !== 'active')
      throw keyNeeded();
    const { key, company, role } = record;
    if (isUseToRecord(key.last_used_at, now)) onUse(key.id);
    return {
      company,
      confirm: identify,
      source: key.surface as KeySurface,
      caller: {
        id: `key:${key.family}`,
        companyId: company.id,
        userId: key.user_id,
        role: (role ?? ROLE_WITHOUT_USER) as Role,
        scopes: parseScopes(key.scopes),
      },
    };
  };
  return identify;
}

export const parseScopes = (scopes: string): KeyScope[] => JSON.parse(scopes);

const hashesEqual = (a: string, b: string): boolean => timingSafeEqual(Buffer.from(a), Buffer.from(b));

export const keyNeeded = (): AcequiaError =>
  new AcequiaError({
    code: 'unauthenticated',
    status: 401,
    message: 'No valid API key was given.',
    hint: 'An API key is needed: "acequia keys create --preset assistant" makes one on the machine of the service, or ask whoever runs it. Send it in the header x-api-key, to /mcp also as Authorization: Bearer; on stdio put it into ACEQUIA_API_KEY.',
  });
