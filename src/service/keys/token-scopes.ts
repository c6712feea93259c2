import { SCOPES, type Scope } from '../../schema/scope.ts';
import { KEY_PRESET_NAMES, KEY_PRESETS, type KeyPreset } from './key-presets.ts';

/** Scopes of access tokens that stand for a preset, so that an issuer need not know each of ours. */
export const presetScope = (preset: KeyPreset): string => `acequia:${preset}`;

/** Unknown scopes, such as openid, grant nothing. */
export function grantedScopes(tokenScopes: readonly string[], presetWithout: KeyPreset | null): Scope[] {
  const presets = KEY_PRESET_NAMES.filter((preset) => tokenScopes.includes(presetScope(preset)));
  const granted = new Set<string>([
    ...tokenScopes,
    ...presets.flatMap((preset): readonly string[] => KEY_PRESETS[preset]),
  ]);
  const scopes = SCOPES.filter((scope) => granted.has(scope));
  return scopes.length > 0 || presetWithout === null ? scopes : [...KEY_PRESETS[presetWithout]];
}

/** The narrowest; without a scope, that of an assistant, which also waters, plans and watches. */
export function presetWith(scope: Scope | null): KeyPreset {
  if (scope === null) return 'assistant';
  const presets = KEY_PRESET_NAMES.filter((preset) => (KEY_PRESETS[preset] as readonly Scope[]).includes(scope));
  return presets.sort((a, b) => KEY_PRESETS[a].length - KEY_PRESETS[b].length)[0]!;
}
