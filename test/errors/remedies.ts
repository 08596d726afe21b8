/** What remedies begin with: something to do, for whoever reads them. */
const verbs =
  /^(?:Add|Allow|Ask|Change|Check|Choose|Close|Compare|Connect|Copy|Correct|Enter|Fix|Get|Install|Keep|Open|Pass|Please report|Put|Read|Register|Remove|Renew|Replace|Review|Run|Save|See|Set|Sign|Stop|Trust|Try|Type|Unlock|Unset|Update|Use|Wait)\b/;

/** Whether a remedy begins with something to do. */
export const saysWhatToDo = (remedy: string): boolean => verbs.test(remedy);

/** What only somebody else can do, said to the person: to ask for it. */
const asking = /^ask (?:the |its |your |an )?(?:platform|identity provider|administrator|operators)/i;

/** What else the person can do by themselves. */
const byOneself = /, or (?!not |ask )\w+|\byou can\b/;

/** Whether a remedy leaves the person nothing to do but to ask those who run the platform. */
export const onlyAsks = (remedy: string): boolean => {
  const [first = '', ...more] = remedy.split(/(?<=\.) /);
  const others = more.filter(sentence => saysWhatToDo(sentence) && !asking.test(sentence));
  return asking.test(first) && !byOneself.test(first) && others.length === 0 && !byOneself.test(more.join(' '));
};
