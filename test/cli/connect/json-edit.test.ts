import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { CLIENT_NAMES, type ClientFile } from '../../../src/cli/connect/client-files.ts';
import { setEntry } from '../../../src/cli/connect/entry-edit.ts';
import { propertyRuns } from '../../property-runs.ts';

const fileOf = (format: ClientFile['format'], way = ['mcpServers']): ClientFile => ({
  id: 'cursor',
  client: CLIENT_NAMES.cursor,
  scope: 'user',
  path: '/home/ana/.cursor/mcp.json',
  format,
  serverPaths: [way],
  entryName: 'acequia',
});
const LENIENT = fileOf('jsonc');
const STRICT = fileOf('json');
const ENTRY = { command: '/usr/bin/node', args: ['/opt/acequia.js'] };

describe('an entry in JSON', () => {
  it('is added to a file that is missing, empty or blank', () => {
    for (const content of ['', '\n', ' \t\n'])
      expect(JSON.parse(setEntry(STRICT, content, ENTRY))).toEqual({
        mcpServers: { acequia: ENTRY },
      });
  });

  it.each([
    [
      'two spaces',
      '{\n  "a": 1\n}\n',
      '{\n  "a": 1,\n  "mcpServers": {\n    "acequia": {\n      "command": "/usr/bin/node",',
    ],
    [
      'tabs',
      '{\n\t"mcpServers": {\n\t}\n}',
      '{\n\t"mcpServers": {\n\t\t"acequia": {\n\t\t\t"command": "/usr/bin/node",',
    ],
    ['nothing in it', '{}', '{\n  "mcpServers": {\n    "acequia": {'],
    [
      'all on one line',
      '{"a":[1],"mcpServers":{}}',
      '{"a":[1],"mcpServers":{"acequia":{"command":"/usr/bin/node","args":["/opt/acequia.js"]}}}',
    ],
    [
      'all on one line with gaps',
      '{ "mcpServers": { "b": {} } }',
      '{ "mcpServers": { "b": {}, "acequia": { "command": "/usr/bin/node", "args": ["/opt/acequia.js"] } } }',
    ],
    [
      'a comment behind the last',
      '{\n  "mcpServers": {\n    "b": {} // far\n  }\n}',
      '{\n  "mcpServers": {\n    "b": {}, // far\n    "acequia": {\n',
    ],
    [
      'a comma behind the last',
      '{\n  "mcpServers": {\n    "b": {}, /* far */\n  },\n}',
      '{\n  "mcpServers": {\n    "b": {}, /* far */\n    "acequia": {\n',
    ],
    [
      'a comment alone in it',
      '{\n  // none yet\n}',
      '{\n  // none yet\n  "mcpServers": {\n    "acequia": {\n',
    ],
  ])('is added to a file with %s in the style of the file', (_, content, beginning) => {
    const after = setEntry(LENIENT, content, ENTRY);
    expect(after.slice(0, beginning.length)).toBe(beginning);
  });

  it('leaves every other character unchanged, also when it is removed again', () => {
    const content = `// mine
{
\t"theme": "dark", // not too bright
\t"mcpServers": {
\t\t/* the other one */
\t\t"other": { "command": "x", "args": [ "1",  "2" ] }, // far
\t},
}
`;
    const after = setEntry(LENIENT, content, ENTRY);
    const place = content.indexOf('\t},\n}');
    expect([after.slice(0, place), after.slice(place - content.length)]).toEqual([
      content.slice(0, place),
      content.slice(place),
    ]);
    expect(setEntry(LENIENT, after, null)).toBe(content);
  });

  it('uses the line endings of the file, and keeps a byte order mark', () => {
    const after = setEntry(LENIENT, '\uFEFF{\r\n    "a": 1\r\n}\r\n', ENTRY);
    expect(after.startsWith('\uFEFF{\r\n    "a": 1,\r\n    "mcpServers": {')).toBe(true);
    expect(after.replaceAll('\r\n', '')).not.toContain('\n');
  });

  it('is updated field by field, so that comments inside it stay', () => {
    const content = `{ "mcpServers": { "acequia": {
  "command": "/usr/bin/node", // of the system
  "args": ["/opt/acequia.js", "--lang", "fr"]
} } }`;
    const after = setEntry(LENIENT, content, ENTRY);
    expect(after).toContain('"command": "/usr/bin/node", // of the system');
    expect(after).toContain('"args": ["/opt/acequia.js"]\n} } }');
    expect(parse(after)).toEqual({ mcpServers: { acequia: ENTRY } });
  });

  it('stays the same text if nothing changes', () => {
    const content =
      '{"mcpServers":{"acequia":{"args":["/opt/acequia.js"],"command":"/usr/bin/node"}}}';
    expect(setEntry(STRICT, content, ENTRY)).toBe(content);
  });

  it('can be added and removed without a trace in any document', () => {
    const name = fc.oneof(
      fc.constantFrom('acequia', 'other', '__proto__', 'a.b', '"', '/*'),
      fc.string(),
    );
    const document = fc.record({
      theme: fc.jsonValue(),
      mcpServers: fc.dictionary(name, fc.jsonValue()).map(({ acequia: _, ...others }) => others),
    });
    fc.assert(
      fc.property(document, fc.constantFrom(0, 1, 2, 4, '\t'), (before, indent) => {
        const content = JSON.stringify(before, null, indent);
        const after = setEntry(STRICT, content, ENTRY);
        expect(JSON.parse(after).mcpServers.acequia).toEqual(ENTRY);
        const gone = setEntry(STRICT, after, null);
        expect(JSON.parse(gone)).toEqual(JSON.parse(content));
        if (Object.keys(before.mcpServers).length > 0) expect(gone).toBe(content);
      }),
    );
  });

  it('can be added and removed exactly, whatever the layout of spaces, lines, comments and commas', () => {
    const gap = fc.constantFrom(
      '',
      ' ',
      '  ',
      '\n',
      '\n\t',
      '\r\n  ',
      '/* a, } */',
      ' // "b": {\n',
    );
    const gaps = fc.infiniteStream(gap).map((stream) => () => stream.next().value as string);
    const isTrailing = fc.boolean();
    const others = fc.dictionary(
      fc.constantFrom('a', 'b', 'c'),
      fc.constantFrom('1', '"x"', '{ }', '[1, 2]'),
      {
        minKeys: 1,
      },
    );
    fc.assert(
      fc.property(others, others, gaps, isTrailing, (around, servers, next, trailing) => {
        const object = (members: readonly [string, string][]): string =>
          `{${members.map(([name, value], index) => `${next()}"${name}"${next()}:${next()}${value}${next()}${trailing || index < members.length - 1 ? ',' : ''}`).join('')}${next()}}`;
        const all = Object.entries({ ...around, mcpServers: object(Object.entries(servers)) });
        const content = next() + object(all) + next();
        const after = setEntry(LENIENT, content, ENTRY);
        const gone = setEntry(LENIENT, after, null);
        expect(gone.replace(/\s/g, '')).toBe(content.replace(/\s/g, ''));
      }),
      { numRuns: propertyRuns(500) },
    );
  });
});

describe('a file that is left unchanged', () => {
  it.each([
    ['is cut off', STRICT, '{\n  "mcpServers": {', 'line 2, column 18: close brace expected'],
    ['lacks a comma', STRICT, '{\n  "a": 1\n  "b": 2\n}', 'line 3, column 3: comma expected'],
    ['has comments where its program reads none', STRICT, '// mine\n{}', 'line 1, column 1'],
    [
      'has a comma too many where its program takes none',
      STRICT,
      '{ "a": 1, }',
      'line 1, column 11',
    ],
    ['is a list', LENIENT, '[]', 'something other than an object at its root'],
    [
      'holds something else where the servers stand',
      LENIENT,
      '{ "mcpServers": [] }',
      'an object at mcpServers',
    ],
    [
      'names its servers twice',
      LENIENT,
      '{ "mcpServers": {}, "mcpServers": { "a": {} } }',
      'in a form that',
    ],
  ])('%s', (_, file, content, message) => {
    expect(() => setEntry(file, content, ENTRY)).toThrow(message);
  });

  it('is not quoted in the error', () => {
    try {
      setEntry(STRICT, '{ "token": "s3cret" "b" }', ENTRY);
      expect.unreachable();
    } catch (error) {
      expect(JSON.stringify(error)).not.toContain('s3cret');
    }
  });
});
