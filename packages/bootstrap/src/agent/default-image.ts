/** Where inference offers no recipe to take the image from. */
const IMAGES: Readonly<Record<string, string>> = {
  csharp: 'mcr.microsoft.com/dotnet/sdk:8.0',
  go: 'golang:1.24',
  java: 'maven:3.9-eclipse-temurin-21',
  javascript: 'node:22',
  python: 'python:3.12-slim',
  ruby: 'ruby:3.3',
  rust: 'rust:1',
}

export function defaultImage(language: string): string {
  return IMAGES[language] ?? 'debian:trixie'
}
