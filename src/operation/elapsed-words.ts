/** Stretches of time from now in words: "20 minutes ago", "il y a une demi-heure", "in two hours". */
import { LENGTHS, lengthMs } from './length-words.ts';
import { type Finding, refuse, rule, type WordRule } from './word-rule.ts';

export const ELAPSED_RULES: readonly WordRule[] = [
  rule("(?:right |just )?now|maintenant|a l'instant|en ce moment", () => found(0)),
  ...LENGTHS.flatMap((length) => [
    rule(`${length} (?:ago|back)`, (g) => elapsed(g, -1)),
    rule(`(?:il y a|ca fait) (?:environ |a peu pres |a peine )?${length}`, (g) => elapsed(g, -1)),
    rule(`(?:in|dans) (?:about |around |environ )?${length}`, (g) => elapsed(g, 1)),
    rule(`${length} from now`, (g) => elapsed(g, 1)),
  ]),
];

const found = (ms: number): Finding[] => [{ kind: 'elapsed', ms }];

function elapsed(g: Record<string, string | undefined>, side: 1 | -1): Finding[] {
  const ms = lengthMs(g);
  return ms === null ? refuse('those hours and minutes do not go together: say it in minutes') : found(side * ms);
}
