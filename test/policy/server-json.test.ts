import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { addCommonOptions, optionVariables } from '../../src/cli/process/settings.ts';

const read = (name: string) => JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8'));
const server = read('server.json');
const packageJson = read('package.json');

const variable = z.strictObject({
  name: z.string().regex(/^[A-Z][A-Z0-9_]*$/),
  description: z.string().min(1),
  format: z.enum(['string', 'number', 'boolean', 'filepath']).optional(),
  placeholder: z.string().optional(),
  choices: z.array(z.string()).min(1).optional(),
  isRequired: z.boolean().optional(),
  isSecret: z.boolean().optional(),
});

/** The part of the schema of 2025-12-11 that this file uses, with the registry's rules for npm packages. */
const serverFile = z.strictObject({
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: z
    .string()
    .max(255)
    .regex(/^\d+\.\d+\.\d+(-[\w.]+)?$/),
  packages: z
    .array(
      z.strictObject({
        registryType: z.literal('npm'),
        identifier: z.string(),
        version: z.string().regex(/^\d+\.\d+\.\d+(-[\w.]+)?$/),
        runtimeHint: z.literal('npx'),
        transport: z.strictObject({ type: z.literal('stdio') }),
        environmentVariables: z.array(variable),
      }),
    )
    .length(1),
});

describe('server.json', () => {
  it('is as the schema of the registry wants it', () => expect(serverFile.safeParse(server).error).toBeUndefined());

  it('is of the version that the package has, and names the package that names it', () => {
    const [own] = server.packages;
    expect([server.version, own.version]).toEqual([packageJson.version, packageJson.version]);
    expect(own.identifier).toBe(packageJson.name);
    expect(packageJson.mcpName).toBe(server.name);
  });

  it('names variables that the program reads, and every secret as one', () => {
    const variables: z.infer<typeof variable>[] = server.packages[0].environmentVariables;
    const known = [...optionVariables(addCommonOptions(new Command())), 'ACEQUIA_API_KEY'];
    for (const { name, isSecret = false } of variables) {
      expect(known).toContain(name);
      expect([name, isSecret]).toEqual([name, /KEY|TOKEN|PASSWORD/.test(name)]);
    }
    expect(variables.length).toBeGreaterThan(3);
  });
});
