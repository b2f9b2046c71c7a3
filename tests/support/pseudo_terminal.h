#pragma once

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

namespace redtune::test {

/// A pseudo-terminal of this many columns; 0: it does not report its width.
class PseudoTerminal {
  public:
    explicit PseudoTerminal(unsigned short columns) : controller_(posix_openpt(O_RDWR | O_NOCTTY)) {
        if (controller_ < 0 || grantpt(controller_) != 0 || unlockpt(controller_) != 0) return;
        descriptor_ = open(ptsname(controller_), O_RDWR | O_NOCTTY);
        const winsize size{24, columns, 0, 0};
        ioctl(descriptor_, TIOCSWINSZ, &size);
    }
    ~PseudoTerminal() {
        close(descriptor_);
        close(controller_);
    }
    PseudoTerminal(const PseudoTerminal&) = delete;
    PseudoTerminal& operator=(const PseudoTerminal&) = delete;

    int descriptor() const { return descriptor_; }

  private:
    int controller_;
    int descriptor_ = -1;
};

}  // namespace redtune::test
