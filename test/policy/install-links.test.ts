import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const readme = read('README.md');
const { name, version } = JSON.parse(read('package.json'));

function linked(text: string): { host: string; name: string | null; config: string } {
  const [, address] = new RegExp(`\\[${text}\\]\\(([^)]+)\\)`).exec(readme)!;
  const { host, searchParams } = new URL(address!);
  return { host, name: searchParams.get('name'), config: searchParams.get('config')! };
}

const SERVER = { command: 'npx', args: ['-y', name] };

it('the link for Cursor adds this package', () => {
  const { config, ...rest } = linked('Add to Cursor');
  expect(rest).toEqual({ host: 'cursor.com', name: 'acequia' });
  expect(JSON.parse(Buffer.from(config, 'base64').toString())).toEqual(SERVER);
});

it('the link for VS Code adds this package', () => {
  const { config, ...rest } = linked('Add to VS Code');
  expect(rest).toEqual({ host: 'insiders.vscode.dev', name: 'acequia' });
  expect(JSON.parse(config)).toEqual(SERVER);
});

it('the bundle is named as it is packed', () => expect(readme).toContain(`build/${name}-${version}.mcpb`));
