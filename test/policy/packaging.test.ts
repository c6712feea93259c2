import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { z } from 'zod/v3';
import { addCommonOptions, optionVariables } from '../../src/cli/process/settings.ts';

const pathOf = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const text = (name: string) => readFileSync(pathOf(name), 'utf8');
const json = (name: string) => JSON.parse(text(name));

const packageJson = json('package.json');

describe('the README', () => {
  const readme = text('README.md');
  const { name, version } = packageJson;
  const linked = (label: string) => new URL(new RegExp(`\\[${label}\\]\\(([^)]+)\\)`).exec(readme)![1]!);

  it.each([
    ['Cursor', 'cursor.com', 'base64'],
    ['VS Code', 'insiders.vscode.dev', 'utf8'],
  ] as const)('adds this package by the link for %s', (client, site, encoding) => {
    const { host, searchParams } = linked(`Add to ${client}`);
    expect([host, searchParams.get('name')]).toEqual([site, 'acequia']);
    const config = Buffer.from(searchParams.get('config')!, encoding).toString();
    expect(JSON.parse(config)).toEqual({ command: 'npx', args: ['-y', name] });
  });

  it('gives the line for a clone beside each one that needs the published package', () => {
    const [heading] = /^.*once the package is published.*$/m.exec(readme)!;
    expect(heading).toContain('from a clone');
    const lines = readme.split('\n').filter((line) => /npx |claude plugin|\[Add to /.test(line));
    expect(lines.length).toBeGreaterThan(3);
    for (const line of lines) expect(line.split('|')[2]).toContain('node dist/acequia.js connect');
  });

  it('names the bundle that is packed', () => expect(readme).toContain(`build/${name}-${version}.mcpb`));
});

interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly optionalDependencies?: Record<string, string>;
}

const { packages } = json('package-lock.json') as { packages: Record<string, Locked> };

describe('the lock file', () => {
  it('holds the packages of every platform, so that a fresh clone installs on each', () => {
    const optional = Object.values(packages).flatMap((each) => Object.keys(each.optionalDependencies ?? {}));
    expect(optional.length).toBeGreaterThan(20);
    for (const name of optional) expect(packages[`node_modules/${name}`]?.version, name).toMatch(/^\d+\./);
  });

  it('names no address of a registry', () => {
    for (const [name, { resolved }] of Object.entries(packages)) expect(resolved, name).toBeUndefined();
  });

  it('holds the hash of every package, also of those for other platforms', () => {
    const unhashed = Object.entries(packages).filter(([name, { integrity }]) => name !== '' && integrity === undefined);
    expect(unhashed.map(([name]) => name)).toEqual([]);
  });
});

const plugin = json('plugin/.claude-plugin/plugin.json');

describe('the plugin for Claude Code', () => {
  it('has the version of the package, and starts that version', () => {
    expect(plugin.version).toBe(packageJson.version);
    const { mcpServers } = json('plugin/.mcp.json');
    expect(mcpServers).toEqual({
      acequia: { command: 'npx', args: ['-y', `${packageJson.name}@${packageJson.version}`] },
    });
  });

  it('has a typable name, and is listed in the marketplace file beside it', () => {
    expect(plugin.name).toMatch(/^[a-z][a-z0-9-]*$/);
    const { name, owner, plugins } = json('.claude-plugin/marketplace.json');
    expect([name, owner.name, plugins.length]).toEqual(['acequia', plugin.author.name, 1]);
    expect(plugins[0]).toMatchObject({ name: plugin.name, description: plugin.description });
    expect(existsSync(pathOf(`${plugins[0].source}/.claude-plugin/plugin.json`))).toBe(true);
  });
});

const server = json('server.json');

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
  it('matches the schema of the registry', () => expect(serverFile.safeParse(server).error).toBeUndefined());

  it('has the version of the package, and they name each other', () => {
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
