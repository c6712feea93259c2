import { firstOf } from '../../domain/items.ts';
import { keysOf } from '../../domain/records.ts';
import { SCOPES, type Scope } from '../../schema/scope.ts';

const READ_SCOPES = SCOPES.filter((scope) => scope.endsWith(':read'));

/** The scopes of keys for common purposes. */
export const KEY_PRESETS = {
  viewer: READ_SCOPES,
  assistant: [
    ...READ_SCOPES,
    'irrigation:write',
    'alerts:write',
    'annotations:write',
    'soil:write',
  ],
  ingest: ['ingest:write'],
  everything: SCOPES,
} as const satisfies Record<string, readonly Scope[]>;

export type KeyPreset = keyof typeof KEY_PRESETS;
export const KEY_PRESET_NAMES = keysOf(KEY_PRESETS);

/**
 * The scope of access tokens that stands for a preset, so that an issuer need not know every scope of
 * the service.
 */
export const presetScope = (preset: KeyPreset): string => `acequia:${preset}`;

/**
 * Unknown scopes, such as openid, grant nothing. A token without any known scope has those of
 * `fallback`.
 */
export function grantedScopes(tokenScopes: readonly string[], fallback: KeyPreset | null): Scope[] {
  const presets = KEY_PRESET_NAMES.filter((preset) => tokenScopes.includes(presetScope(preset)));
  const granted = new Set<string>([
    ...tokenScopes,
    ...presets.flatMap((preset): readonly string[] => KEY_PRESETS[preset]),
  ]);
  const scopes = SCOPES.filter((scope) => granted.has(scope));
  return scopes.length > 0 || fallback === null ? scopes : [...KEY_PRESETS[fallback]];
}

/**
 * The narrowest preset with the scope; for null, that of an assistant, which can also log and plan
 * waterings.
 */
export function presetWith(scope: Scope | null): KeyPreset {
  if (scope === null) return 'assistant';
  const presets = KEY_PRESET_NAMES.filter((preset) =>
    KEY_PRESETS[preset].some((each) => each === scope),
  );
  return firstOf(presets.sort((a, b) => KEY_PRESETS[a].length - KEY_PRESETS[b].length));
}
