/** Words of English that no French sentence has; within a code they are no words. */
export const ENGLISH_WORD =
  /(?<![\p{L}\d_.])(the|and|of|with|is|are|was|were|has|have|had|in|to|from|at|by|for|it|its|this|that|no|not|none|any|all|each|every|below|above|until|since|today|yesterday|tomorrow|watering|waterings|moisture|soil|yet|more|last|newest|declare|ask)(?![\p{L}\d_.])/iu;
