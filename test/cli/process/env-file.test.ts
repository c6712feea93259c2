import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatEnvFile, parseEnvFile } from '../../../src/cli/process/env-file.ts';
import { runInProcess } from '../../in-process-command.ts';
import { propertyRuns } from '../../property-runs.ts';
import { newFolder } from '../../temporary-places.ts';

describe('a file of variables', () => {
  it('gives back every value that was written into it, or refuses to write it', () => {
    const value = fc.string({ unit: 'grapheme-ascii' }).filter((text) => text.trim() !== '');
    fc.assert(
      fc.property(value, value, (one, other) => {
        const variables = { ACEQUIA_DB: one, PGPASSWORD: other };
        let text: string;
        try {
          text = formatEnvFile(variables);
        } catch (error) {
          expect(error).toMatchObject({ code: 'invalid_parameter' });
          return;
        }
        expect(parseEnvFile(text)).toEqual(variables);
      }),
      { numRuns: propertyRuns(200) },
    );
  });

  it.each([
    'C:\\new\\farm.db',
    "/home/o'neill/farm.db",
    'smtp://a:p%22#x$HOME@mail.example.org',
    'a "b" `c`',
  ])('holds %s', (value) => {
    expect(parseEnvFile(formatEnvFile({ A: value, B: 'x' }))).toEqual({ A: value, B: 'x' });
  });

  it('names the variable whose value has all quotation marks, and not the value', () => {
    expect(() => formatEnvFile({ PGPASSWORD: 'a\'b"c`d' })).toThrow(/PGPASSWORD(?!.*b"c)/);
  });
});

describe('--env-file', () => {
  const envFile = async (text: string): Promise<string> => {
    const file = join(await newFolder(), 'service.env');
    await writeFile(file, text);
    return file;
  };
  const configuration = async (args: readonly string[], env: Record<string, string> = {}) => {
    const { stdout } = await runInProcess(['doctor', ...args], { env });
    return /configuration +(.*)/.exec(stdout)![1];
  };

  it('sets what the environment does not, before and after the command', async () => {
    const file = await envFile(
      "ACEQUIA_DB='/srv/a farm.db'\nACEQUIA_LANG=fr\nACEQUIA_LOG_LEVEL=\n",
    );
    expect(await configuration(['--env-file', file])).toContain(
      'store /srv/a farm.db (from ACEQUIA_DB), language fr',
    );
    expect(await configuration(['--env-file', file], { ACEQUIA_LANG: 'es' })).toContain(
      'language es',
    );
    expect(await configuration(['--env-file', file, '--lang', 'en'])).toContain('language en');
    const { stdout } = await runInProcess(['--env-file', file, 'doctor']);
    expect(stdout).toContain('/srv/a farm.db');
  });

  it('is wrong usage if the file cannot be read', async () => {
    const missing = join(await newFolder(), 'none.env');
    expect(await runInProcess(['doctor', '--env-file', missing])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('It cannot be read (ENOENT)'),
    });
  });

  it('is an option of every command that a service starts', async () => {
    for (const words of [['serve'], ['ingest', 'mqtt']])
      expect((await runInProcess([...words, '--help'])).stdout).toContain('--env-file <file>');
  });
});
