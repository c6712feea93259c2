import { Command } from 'commander';
import { afterEach, expect, it, vi } from 'vitest';
import {
  addCommonOptions,
  ignoreBlankVariables,
  readSettings,
} from '../../../src/cli/process/settings.ts';
import { TOOLSET_NAMES } from '../../../src/operation/operation-kind.ts';

afterEach(() => void vi.unstubAllEnvs());

function toolFilterOf(args: readonly string[], env: Record<string, string> = {}) {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const command = addCommonOptions(new Command())
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
  ignoreBlankVariables(command);
  command.parse([...args], { from: 'user' });
  return readSettings(command).toolFilter;
}

it.each([
  ['YES', true],
  ['1', true],
  ['false', false],
  ['0', false],
  ['', false],
])('ACEQUIA_READ_ONLY=%s means %s', (value, isReadOnly) => {
  expect(toolFilterOf([], { ACEQUIA_READ_ONLY: value })).toEqual({ toolsets: null, isReadOnly });
});

it('an empty ACEQUIA_TOOLSETS means all, as does "all" on the command line, and an unknown set is wrong usage', () => {
  const all = { toolsets: null, isReadOnly: false };
  expect(toolFilterOf([], { ACEQUIA_TOOLSETS: ' ' })).toEqual(all);
  expect(toolFilterOf(['--toolsets', 'soil,all'], { ACEQUIA_TOOLSETS: 'daily' })).toEqual(all);
  expect(() => toolFilterOf(['--toolsets', 'soil,water'])).toThrow(TOOLSET_NAMES.join(', '));
});
