import { visibleText } from '../domain/strings.ts';
import { type RenderedText, readText } from '../language/text/rendered-text.ts';

export const terminalText = (text: RenderedText): string => visibleText(readText(text));
