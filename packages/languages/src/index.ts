export { cppPack } from './cpp/index.ts'
export { goPack } from './go/index.ts'
export { languagePacks, packFor } from './packs.ts'
export { pythonPack } from './python/index.ts'
