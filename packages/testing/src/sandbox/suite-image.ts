import type { FileEntry } from '@r2e/spec'
import type { SandboxSuiteOptions } from './sandbox-suite.ts'
import { bytes } from './suite-context.ts'

/** Every instruction that a rendered Dockerfile may hold. */
export const IMAGE_DOCKERFILE = ({ baseImage, users = true }: SandboxSuiteOptions): string => `# A comment
FROM ${baseImage}
ENV GREETING=hello
ENV LONG="\${GREETING} world" PATH=/work/tool:\${PATH} SHORT=$GREETING
WORKDIR /work
WORKDIR tree
COPY file.txt other.txt /work/tree/
COPY folder/ /work/tree/folder/
COPY folder/run.sh /work/tool/suite-tool
# A comment between
RUN printf 'a\\nb\\n' | sort -r > sorted \\
 && chmod 0777 /work/tree \\
 # a comment inside
 && echo "$LONG" > environment
RUN ["sh", "-c", "echo \\"$GREETING\\" > exec-form"]
RUN mkdir gone && touch gone/file kept && rm -r gone
${users ? 'USER nobody\n' : ''}RUN id -un > user && pwd > folder-of-step
LABEL com.example.a="b c" d=e
STOPSIGNAL SIGKILL
ENTRYPOINT []
`

export function dockerfileContext(dockerfile: string, extra: readonly FileEntry[] = []): FileEntry[] {
  return [
    { path: 'Dockerfile', mode: '100644', content: bytes(dockerfile) },
    { path: 'file.txt', mode: '100644', content: bytes('file\n') },
    { path: 'other.txt', mode: '100644', content: Uint8Array.of(0xff, 0, 0xfe) },
    { path: 'folder/run.sh', mode: '100755', content: bytes('#!/bin/sh\necho "ran $*"\n') },
    { path: 'folder/deep/a b', mode: '100644', content: bytes('blank\n') },
    { path: 'folder/link', mode: '120000', content: bytes('deep/a b') },
    ...extra,
  ]
}
