/** Which rules have a drawn example, and which one. */

export const EXAMPLES: Record<string, string[]> = {
  "BASE-5": ["reset"],
  "BASE-7": ["claim", "gray"],
  "BASE-8": ["double"],
  "BASE-11": ["ticket"],
  "BASE-14": ["trail"],
  "IB-6": ["festival"],
  "IB-8": ["ferry"],
  "KR-5": ["mat"],
  "NO-4": ["ferry"],
  "NO-5": ["tunnel"],
  "EU-1": ["station"],
};
