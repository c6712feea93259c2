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
  entryName: 'acequia',
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
  it('is appended to the file, or becomes its only content', () => {
    expect(setEntry(CODEX, '', ENTRY)).toBe(TABLE);
    expect(setEntry(CODEX, REST, ENTRY)).toBe(`${REST}\n${TABLE}`);
  });

  it('is removed again without a trace', () => {
    expect(setEntry(CODEX, `${REST}\n${TABLE}`, null)).toBe(REST);
    expect(setEntry(CODEX, TABLE, null)).toBe('');
  });

  it("is replaced in place along with its subtables, leaving the next table's comment", () => {
    const [head, tail] = REST.split('\n# and this');
    const old = '[ mcp_servers . "acequia" ] # ours\ncommand = "node"\nargs = ["acequia.js"]\n\n';
    const below = '[mcp_servers.acequia.env]\nACEQUIA_DB = "x"\n';
    const before = `${head}\n${old}${below}\n# and this${tail}`;
    expect(setEntry(CODEX, before, ENTRY)).toBe(`${head}\n${TABLE}\n# and this${tail}`);
    expect(setEntry(CODEX, before, null)).toBe(REST);
  });

  it('stays as it is if it already means the same', () => {
    const content = `[mcp_servers."acequia"]\nargs = [\n  "/opt/acequia.js", # here\n]\ncommand = 'C:\\node "x"\\node.exe'\n`;
    expect(setEntry(CODEX, content, ENTRY)).toBe(content);
  });

  it('uses the line endings of the file', () => {
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

describe('a file that is left unchanged', () => {
  it.each([
    ['cannot be read', 'model = "x"\n[mcp_servers\n', 'line 2, column'],
    [
      'defines it in an inline table',
      'mcp_servers = { acequia = { command = "x" } }\n',
      'in a form that',
    ],
    ['defines it with dotted keys', '[mcp_servers]\nacequia.command = "x"\n', 'in a form that'],
    [
      'lists its servers in an inline table',
      'mcp_servers = { other = { command = "x" } }\n',
      'in a form that',
    ],
    ['has a string in place of the servers', 'mcp_servers = "none"\n', 'an object at mcp_servers'],
    [
      'has a line like a table header inside a string',
      "[mcp_servers.acequia]\ncommand = '''\n[tools]\n'''\n",
      'in a form that',
    ],
  ])('%s', (_, content, message) => {
    expect(() => setEntry(CODEX, content, ENTRY)).toThrow(message);
  });
});
