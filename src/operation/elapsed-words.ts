/** Stretches of time from now in words: "20 minutes ago", "il y a une demi-heure", "in two hours". */
import { DURATION_PATTERNS, durationMs } from './length-words.ts';
import { refusedToken, type TimeToken, type WordRule, wordRule } from './word-rule.ts';

export const ELAPSED_RULES: readonly WordRule[] = [
  wordRule("(?:right |just )?now|maintenant|a l'instant|en ce moment", () => elapsedToken(0)),
  ...DURATION_PATTERNS.flatMap((length) => [
    wordRule(`${length} (?:ago|back)`, (g) => elapsedTokens(g, -1)),
    wordRule(`(?:il y a|ca fait) (?:environ |a peu pres |a peine )?${length}`, (g) => elapsedTokens(g, -1)),
    wordRule(`(?:in|dans) (?:about |around |environ )?${length}`, (g) => elapsedTokens(g, 1)),
    wordRule(`${length} from now`, (g) => elapsedTokens(g, 1)),
  ]),
];

const elapsedToken = (ms: number): TimeToken[] => [{ kind: 'elapsed', ms }];

function elapsedTokens(g: Record<string, string | undefined>, side: 1 | -1): TimeToken[] {
  const ms = durationMs(g);
  return ms === null
    ? refusedToken('those hours and minutes do not go together: say it in minutes')
    : elapsedToken(side * ms);
}
