/** Which rules have a drawn example, and which one. */

export const EXAMPLES: Record<string, string[]> = {
  "BASE-4": ["engine"],
  "BASE-5": ["reset"],
  "BASE-7": ["claim", "gray"],
  "BASE-8": ["double"],
  "BASE-11": ["points", "ticket"],
  "BASE-14": ["trail"],
  "IB-6": ["festival"],
  "IB-8": ["ferry"],
  "KR-3": ["express"],
  "KR-5": ["mat"],
  "KR-6": ["extra"],
  "NY-4": ["double"],
  "NY-5": ["attractions"],
  "NO-2": ["engines"],
  "NO-3": ["plain"],
  "NO-4": ["ferry", "substitute"],
  "NO-5": ["tunnel"],
  "NO-6": ["sets"],
  "NO-7": ["double"],
  "EU-1": ["ferry", "tunnel", "station"],
};
