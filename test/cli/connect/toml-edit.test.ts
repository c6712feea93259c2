import fc from 'fast-check';
import { parse, stringify } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { CLIENT_NAMES, type ClientFile } from '../../../src/cli/connect/client-files.ts';
import { setEntry } from '../../../src/cli/connect/entry-edit.ts';

const CODEX: ClientFile = {
  id: 'codex',
  client: CLIENT_NAMES.codex,
  scope: 'user',
  path: '/home/ana/.codex/config.toml',
  format: 'toml',
  serverPaths: [['mcp_servers']],
};
const ENTRY = { command: 'C:\\node "x"\\node.exe', args: ['/opt/acequia.js'] };
const TABLE = `[mcp_servers.acequia]
command = "C:\\\\node \\"x\\"\\\\node.exe"
args = [ "/opt/acequia.js" ]
`;
const REST = `# mine
model = "x" # the good one

[mcp_servers.other]
command = "y"

# and this
[tools]
web_search = true
`;

describe('a table in TOML', () => {
  it('is appended to the file, or is all of an empty one', () => {
    expect(setEntry(CODEX, '', ENTRY)).toBe(TABLE);
    expect(setEntry(CODEX, REST, ENTRY)).toBe(`${REST}\n${TABLE}`);
  });

  it('is removed again without a trace', () => {
    expect(setEntry(CODEX, `${REST}\n${TABLE}`, null)).toBe(REST);
    expect(setEntry(CODEX, TABLE, null)).toBe('');
  });

  it('is replaced in place with its subtables, but without the comment of the next table', () => {
    const [head, tail] = REST.split('\n# and this');
    const old = '[ mcp_servers . "acequia" ] # ours\ncommand = "node"\nargs = ["acequia.js"]\n\n';
    const below = '[mcp_servers.acequia.env]\nACEQUIA_DB = "x"\n';
    const before = `${head}\n${old}${below}\n# and this${tail}`;
    expect(setEntry(CODEX, before, ENTRY)).toBe(`${head}\n${TABLE}\n# and this${tail}`);
    expect(setEntry(CODEX, before, null)).toBe(REST);
  });

  it('stays as written when it means the same', () => {
    const content = `[mcp_servers."acequia"]\nargs = [\n  "/opt/acequia.js", # here\n]\ncommand = 'C:\\node "x"\\node.exe'\n`;
    expect(setEntry(CODEX, content, ENTRY)).toBe(content);
  });

  it('ends its lines as the file does', () => {
    const after = setEntry(CODEX, 'model = "x"\r\n', ENTRY);
    expect(after.replaceAll('\r\n', '')).not.toContain('\n');
    expect(parse(after)).toMatchObject({ mcp_servers: { acequia: ENTRY } });
  });

  it('can be added and removed without a trace in any document', () => {
    const value = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.boolean(),
      fc.array(fc.string()),
      fc.dictionary(fc.string(), fc.string()),
    );
    const document = fc.record({
      model: fc.string(),
      mcp_servers: fc.dictionary(
        fc.string().filter((name) => name !== 'acequia'),
        fc.dictionary(fc.string(), value),
      ),
    });
    fc.assert(
      fc.property(document, (before) => {
        const content = stringify(before);
        const after = setEntry(CODEX, content, ENTRY);
        expect(parse(after)).toMatchObject({ mcp_servers: { acequia: ENTRY } });
        expect(setEntry(CODEX, after, null).trimEnd()).toBe(content.trimEnd());
      }),
    );
  });
});

describe('a file that stays unchanged', () => {
  it.each([
    ['cannot be read', 'model = "x"\n[mcp_servers\n', 'line 2, column'],
    ['says the table on one line of another', 'mcp_servers = { acequia = { command = "x" } }\n', 'in a form that'],
    ['says the table in keys with dots', '[mcp_servers]\nacequia.command = "x"\n', 'in a form that'],
    ['lists its servers on one line', 'mcp_servers = { other = { command = "x" } }\n', 'in a form that'],
    ['holds a text where the servers stand', 'mcp_servers = "none"\n', 'an object at mcp_servers'],
    [
      'has a line like a heading within a text of ours',
      "[mcp_servers.acequia]\ncommand = '''\n[tools]\n'''\n",
      'in a form that',
    ],
  ])('%s', (_, content, said) => {
    expect(() => setEntry(CODEX, content, ENTRY)).toThrow(said);
  });
});
