/** The beginnings of remedies: an action for the reader. */
const verbs =
  /^(?:Add|Allow|Ask|Change|Check|Choose|Close|Compare|Connect|Copy|Correct|Enter|Fix|Get|Install|Keep|Open|Pass|Please report|Put|Read|Register|Remove|Renew|Replace|Request|Review|Run|Save|See|Set|Sign|Stop|Trust|Try|Type|Unlock|Unset|Update|Use|Wait)\b/;

/** Whether a remedy begins with an action. */
export const saysWhatToDo = (remedy: string): boolean => verbs.test(remedy);

/** An action of somebody else, for which the person has to ask. */
const asking = /^ask (?:the |its |your |an )?(?:platform|identity provider|administrator|operators)/i;

/** An alternative that the person can do alone. */
const byOneself = /, or (?!not |ask )\w+|\byou can\b/;

/** Whether a remedy leaves the person nothing but to ask the operators of the platform. */
export const onlyAsks = (remedy: string): boolean => {
  const [first = '', ...more] = remedy.split(/(?<=\.) /);
  const others = more.filter(sentence => saysWhatToDo(sentence) && !asking.test(sentence));
  return asking.test(first) && !byOneself.test(first) && others.length === 0 && !byOneself.test(more.join(' '));
};
