import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { operations } from '../../tools/index.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const text = (...path: string[]) => readFileSync(join(root, ...path), 'utf8');
const json = (...path: string[]) => JSON.parse(text(...path));

const packageJson = json('package.json');
const plugin = json('plugin', '.claude-plugin', 'plugin.json');

describe('the plugin for Claude Code', () => {
  it('is of the version that the package has, and starts that one', () => {
    expect(plugin.version).toBe(packageJson.version);
    const { mcpServers } = json('plugin', '.mcp.json');
    expect(mcpServers).toEqual({
      acequia: { command: 'npx', args: ['-y', `${packageJson.name}@${packageJson.version}`] },
    });
  });

  it('has a name that can be typed, and is offered by the marketplace beside it', () => {
    expect(plugin.name).toMatch(/^[a-z][a-z0-9-]*$/);
    const { name, owner, plugins } = json('.claude-plugin', 'marketplace.json');
    expect([name, owner.name, plugins.length]).toEqual(['acequia', plugin.author.name, 1]);
    expect(plugins[0]).toMatchObject({ name: plugin.name, description: plugin.description });
    expect(existsSync(join(root, plugins[0].source, '.claude-plugin', 'plugin.json'))).toBe(true);
  });
});

const skills = readdirSync(join(root, 'plugin', 'skills'));

describe.each(skills)('the skill %s', (skill) => {
  const [, head, body] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text('plugin', 'skills', skill, 'SKILL.md'))!;

  it('bears the name of its folder, and says when it is to be used', () => {
    const { name, description } = parse(head!);
    expect(name).toBe(skill);
    expect(name).toMatch(/^[a-z0-9-]{1,64}$/);
    expect(description).toMatch(/^Use when /);
    expect(description.length).toBeLessThanOrEqual(1024);
  });

  it('names tools that there are', () => {
    const names = operations.map(({ name }) => name);
    const named = [...body!.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].map(([, name]) => name);
    expect(named.filter((name) => !(names as string[]).includes(name!))).toEqual([]);
    expect(named.length).toBeGreaterThan(10);
  });

  it('is short: under 500 words', () => expect(body!.split(/\s+/).length).toBeLessThan(500));
});
