import { DEFAULT_LANG, type Lang } from '../../domain/lang.ts';
import { capitalize } from '../../domain/strings.ts';
import { description } from '../../domain/text/program-names.ts';
import { callText, programPart } from '../../domain/text/program-text.ts';
import { type Sayable, toText } from '../../domain/text/say.ts';
import type {
  ArgumentName,
  Aside,
  CalledOperation,
  Code,
  Description,
  Duration,
  List,
  NextCall,
  Part,
  Text,
  Time,
  Words,
} from '../../domain/text/text.ts';
import { languageOf } from '../index.ts';
import type { Reader } from './reader.ts';
import { NO_BREAK_SPACE, renderFigures } from './render-figures.ts';
import { localIsoTime, renderDuration, renderTime } from './render-times.ts';
import { type AnswerText, type RenderedText, renderedText } from './rendered-text.ts';
import { spokenArgument } from './spoken-argument.ts';

export function render(text: Text, reader: Reader): AnswerText {
  const { words, calls } = write(text, reader);
  return { summary: renderedText(words), next: calls.map(renderedText) };
}

/** A sentence that stands alone; what somebody else wrote begins as they wrote it. */
export function renderSentence(text: Text, reader: Reader): RenderedText {
  const { words } = write(text, reader);
  const [first] = text.parts;
  const isName = typeof first === 'object' && first.kind === 'name';
  return renderedText(isName ? words : capitalize(words));
}

/**
 * Renders a text without instants and units, which is the same for everybody who reads the
 * language.
 */
export const renderForAll = (text: Text, lang: Lang = DEFAULT_LANG): AnswerText =>
  render(text, { now: 0, zone: 'UTC', units: 'metric', lang });

type ReaderInMetric = Omit<Reader, 'units'>;

/** The words that people hear, where the units of the farm do not matter. */
export const inMetric = (text: Text, reader: ReaderInMetric): RenderedText =>
  renderedText(wordsInMetric(text, reader));

/** Programs read it in words too: in metric units, with times in the zone of this reader. */
export const inWords = (item: Sayable, reader: ReaderInMetric): Description =>
  description(item, wordsInMetric(toText(item), reader));

/** Texts that read alike to this reader, and call for the same, are one. */
export function distinctTexts(texts: readonly Text[], reader: Reader): Text[] {
  const distinct = new Map<string, Text>();
  for (const text of texts) {
    const written = JSON.stringify(write(text, reader));
    if (!distinct.has(written)) distinct.set(written, text);
  }
  return [...distinct.values()];
}

const wordsInMetric = (text: Text, reader: ReaderInMetric): string =>
  write(text, { ...reader, units: 'metric' }).words;

function write(text: Text, reader: Reader): WrittenText {
  const rendering = new Rendering(reader);
  rendering.addAll(text);
  return rendering.result();
}

interface WrittenText {
  readonly words: string;
  readonly calls: readonly string[];
}

/** A text that is being put together for one reader. */
class Rendering {
  readonly #reader: Reader;
  readonly #lang: Lang;
  readonly #calls: string[] = [];
  #output = '';
  /** Brackets of the text itself that are open, within which others are square. */
  #openBrackets = 0;

  constructor(reader: Reader) {
    this.#reader = reader;
    this.#lang = reader.lang ?? DEFAULT_LANG;
  }

  addAll({ parts }: Text): void {
    for (const part of parts) {
      if (typeof part === 'string') this.#addWords(part);
      else if (part.kind === 'call') this.#addCall(callText(part));
      else this.#output += this.#format(part);
    }
  }

  result(): WrittenText {
    return { words: this.#output.trimStart(), calls: [...new Set(this.#calls)] };
  }

  #addWords(words: Words): void {
    this.#output += this.#reader.keepsTogether ? keepSignsTogether(words) : words;
    for (const character of words) {
      if (character === '(') this.#openBrackets++;
      if (character === ')') this.#openBrackets--;
    }
  }

  /** A call that stands alone between two sentences goes with a space. */
  #addCall(call: string): void {
    if (this.#output.endsWith(' ')) this.#output = this.#output.slice(0, -1);
    this.#calls.push(call);
  }

  #format(part: Exclude<Part, Words | NextCall>): string {
    switch (part.kind) {
      case 'name':
        return part.text;
      case 'quantity':
      case 'area':
      case 'density':
        return renderFigures(part, this.#reader, (text) => this.#inBrackets(text));
      case 'duration':
        return this.#duration(part);
      case 'list':
        return this.#list(part);
      case 'description':
        return this.#description(part);
      case 'argument':
      case 'code':
      case 'operation':
      case 'aside':
        return this.#programName(part);
      default:
        return this.#time(part);
    }
  }

  #time(part: Time): string {
    const { times, isProgram } = this.#reader;
    const isIso = isProgram === true || times === 'iso';
    return isIso ? localIsoTime(part, this.#reader) : renderTime(part, this.#reader);
  }

  #duration(part: Duration): string {
    const text = renderDuration(part, this.#lang);
    return this.#reader.keepsTogether ? text.replaceAll(' ', NO_BREAK_SPACE) : text;
  }

  #programName(part: ArgumentName | Code | CalledOperation | Aside): string {
    if (this.#reader.isProgram && part.kind !== 'aside') return programPart(part);
    switch (part.kind) {
      case 'argument':
        return spokenArgument(part, this.#reader.argumentWords);
      case 'code':
        return spokenCode(part.code);
      case 'operation':
        return part.tool.replaceAll('_', ' ');
      case 'aside':
        return this.#reader.isProgram ? ` (${this.#apart(part.text)})` : '';
    }
  }

  #description(part: Description): string {
    const { isProgram: _, ...person } = this.#reader;
    return write(part.text, person).words;
  }

  #list({ items, joiner }: List): string {
    const texts = items.map((item) => this.#apart(item));
    const { format, joiners } = languageOf(this.#lang);
    return joiner === 'and' ? format.list(texts) : joiners.alternatives(texts);
  }

  #apart(text: Text): string {
    const before = this.#output;
    this.#output = '';
    this.addAll(text);
    const added = this.#output;
    this.#output = before;
    return added;
  }

  #inBrackets(text: string): string {
    return this.#openBrackets > 0 ? `[${text}]` : `(${text})`;
  }
}

/** French has a space before some signs. */
const keepSignsTogether = (words: Words): string => words.replace(/ (?=[%:;])/g, NO_BREAK_SPACE);

/** "micro sprinkler"; SOIL_PROBE stays as it is written. */
const spokenCode = (code: string): string =>
  code === code.toLowerCase() ? code.replaceAll('_', ' ') : code;
