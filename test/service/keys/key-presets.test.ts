import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SCOPES } from '../../../src/schema/scope.ts';
import {
  grantedScopes,
  KEY_PRESET_NAMES,
  KEY_PRESETS,
  presetScope,
  presetWith,
} from '../../../src/service/keys/key-presets.ts';

describe('the scopes of an access token', () => {
  it.each(KEY_PRESET_NAMES)('acequia:%s grants what a key of that preset may do', (preset) => {
    expect(new Set(grantedScopes([presetScope(preset)], null))).toEqual(
      new Set(KEY_PRESETS[preset]),
    );
  });

  it('grant each scope that they name, and nothing for others', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom(...SCOPES), fc.string())), (named) => {
        expect(grantedScopes(named, null)).toEqual(SCOPES.filter((scope) => named.includes(scope)));
      }),
    );
  });

  it('leave the preset to tokens that name none of ours', () => {
    expect(grantedScopes(['openid', 'admin'], 'viewer')).toEqual([...KEY_PRESETS.viewer]);
    expect(grantedScopes(['openid', 'ingest:write'], 'viewer')).toEqual(['ingest:write']);
    expect(grantedScopes([], null)).toEqual([]);
  });
});

it.each(SCOPES)('asks for the narrowest preset with %s', (scope) => {
  const preset = presetWith(scope);
  expect(KEY_PRESETS[preset]).toContain(scope);
  for (const other of KEY_PRESET_NAMES)
    if ((KEY_PRESETS[other] as readonly string[]).includes(scope))
      expect(KEY_PRESETS[preset].length).toBeLessThanOrEqual(KEY_PRESETS[other].length);
});
