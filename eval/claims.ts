const PARTICIPLES =
  'logged|noted|recorded|saved|stored|entered|planned|scheduled|added|corrected|changed|updated|moved|cancelled|canceled|skipped|confirmed|deleted|removed|undone|restored';
const FRENCH_PARTICIPLES =
  'noté|enregistré|ajouté|planifié|programmé|corrigé|modifié|changé|déplacé|annulé|confirmé|supprimé|remis|inscrit';
const SPANISH_PARTICIPLES =
  'anotado|registrado|apuntado|guardado|añadido|planificado|programado|corregido|cambiado|movido|anulado|cancelado|confirmado|borrado|deshecho';

/** Sentences that say that something was written just now. */
const WRITING = [
  `\\bI(?:'ve| have)?(?: now| just)? (?:${PARTICIPLES})\\b`,
  `^(?:(?:ok|okay|sure),? )?(?:logged|noted|saved|corrected|undone|done)(?! so far| on \\d)\\b`,
  `\\bj'ai (?:bien )?(?:${FRENCH_PARTICIPLES})`,
  `^(?:c'est )?(?:noté|enregistré|corrigé|annulé|fait)(?![\\p{L}])`,
  `\\b(?:lo |la |los |las )?he (?:${SPANISH_PARTICIPLES})\\b`,
  `^(?:queda )?(?:anotad|registrad|apuntad|corregid)[oa]s?\\b|^(?:hecho|listo)\\b`,
].map((source) => new RegExp(source, 'iu'));
const DENIAL =
  /(?<!\p{L})(?:not|nothing|never|no|cannot|already|earlier|pas|rien|déjà|ya|nada|nunca)(?!\p{L})|n't/iu;

/** The sentences of a reply that are no questions. */
export const statementsIn = (reply: string): string[] =>
  reply
    .replaceAll('’', "'")
    .split(/(?<=[.!?;])\s+|\n/u)
    .filter((sentence) => !sentence.includes('?'));

/** The sentence that claims a write, or null. A denial and what was written earlier are no claim. */
export const writingClaimIn = (reply: string): string | null =>
  statementsIn(reply).find(
    (sentence) => !DENIAL.test(sentence) && WRITING.some((pattern) => pattern.test(sentence)),
  ) ?? null;
