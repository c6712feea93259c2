import { DOMParser } from '@xmldom/xmldom';
import { parse as parsePlist } from 'plist';

/** The command that systemd would run. Source: systemd.service(5), systemd.syntax(7). */
export function commandOfUnit(unit: string): string[] {
  const line = /^ExecStart=(:?)(.*)$/m.exec(unit)!;
  const words = line[2]!.match(/"(?:\\.|[^"\\])*"|[^\s"]+/g) ?? [];
  return words.map((word) => {
    const text = word.replace(/^"|"$/g, '').replace(/\\(["\\])/g, '$1');
    const unescaped = line[1] === ':' ? text : text.replaceAll('$$', '$');
    return unescaped.replaceAll('%%', '%');
  });
}

export function commandOfAgent(agent: string): string[] {
  const { ProgramArguments } = parsePlist(agent) as { ProgramArguments: string[] };
  return ProgramArguments;
}

export function commandOfTask(task: string): string[] {
  const document = new DOMParser().parseFromString(task.replace(/^\ufeff/, ''), 'text/xml');
  const textOf = (name: string) => document.getElementsByTagName(name).item(0)?.textContent ?? '';
  return [textOf('Command'), ...splitArguments(textOf('Arguments'))];
}

/** Source: the rules of CommandLineToArgvW. */
function splitArguments(line: string): string[] {
  const words: string[] = [];
  let [word, isQuoted, isOpen, backslashes] = ['', false, false, 0];
  for (const character of `${line} `) {
    if (character === '\\') {
      [backslashes, isOpen] = [backslashes + 1, true];
      continue;
    }
    const isQuote = character === '"';
    word += '\\'.repeat(isQuote ? Math.floor(backslashes / 2) : backslashes);
    const isEscaped = isQuote && backslashes % 2 === 1;
    backslashes = 0;
    if (isQuote && !isEscaped) [isQuoted, isOpen] = [!isQuoted, true];
    else if (/\s/.test(character) && !isQuoted) {
      if (isOpen) words.push(word);
      [word, isOpen] = ['', false];
    } else [word, isOpen] = [word + character, true];
  }
  return words;
}
